import { useTranslation } from 'react-i18next'
import { fullPhaseWords, type FullPhase } from './full-phase-words.ts'
import { useOperationWords } from './use-operation-words.ts'

/** Why a domain is skipped or cannot be compared, from the code of the server. */
export function CodeWords({ code, fullPhases = [] }: { code: string; fullPhases?: readonly FullPhase[] }) {
  const { t } = useTranslation(['operations', 'rule-names'])
  return [useOperationWords().code(code), ...fullPhases.map((each) => `${fullPhaseWords(t, each)}.`)].join(' ')
}
