import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { issueText } from '#client/lib/errors.ts'
import type { PastedLine } from '#client/ui/form/text-paste.tsx'

interface PastedName {
  readonly line: number
  /** The input, verbatim. */
  readonly given: string
}

/** What is wrong with pasted names, by line. `ours`: the accounts of names that are already in the panel. */
export function usePastedFaults(
  faults: readonly (PastedName & { readonly fault: string })[],
  names: readonly (PastedName & { readonly name: string })[],
  ours: ReadonlyMap<string, string | null>,
): readonly PastedLine[] {
  const { t } = useTranslation('domains')
  return useMemo(() => {
    const own = faults.map(({ line, given, fault }): PastedLine => ({
      number: line,
      tone: fault === 'domain_repeated' ? 'warn' : 'bad',
      text: `${given}: ${issueText({ path: '', message: fault })}`,
    }))
    const there = names.flatMap(({ line, given, name }): PastedLine[] => {
      const account = ours.get(name) ?? null
      return account === null ? [] : [{ number: line, tone: 'warn', text: `${given}: ${t('add.ours', { account })}` }]
    })
    return [...own, ...there].toSorted((one, other) => one.number - other.number)
  }, [faults, names, ours, t])
}
