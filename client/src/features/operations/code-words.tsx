import { useFullPhaseWords, type FullPhase } from './use-full-phase-words.ts'
import { useOperationWords } from './use-operation-words.ts'

/** Why a domain is skipped or cannot be compared, from the code of the server. */
export function CodeWords({ code, fullPhases = [] }: { code: string; fullPhases?: readonly FullPhase[] }) {
  const fullPhaseWords = useFullPhaseWords()
  return [useOperationWords().code(code), ...fullPhases.map((each) => `${fullPhaseWords(each)}.`)].join(' ')
}
