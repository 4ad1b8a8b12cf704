import { useCallback } from 'react'
import { useTranslation } from 'react-i18next'
import type { Reason } from '#shared/features/monitoring/schema.ts'
import { formatNumber } from '#client/lib/format.ts'

export interface ReasonWords {
  what: string
  /** With the values of this case; null where some are not known. */
  detail: string | null
  advice: string
}

const gaps = /\{\{(\w+)\}\}/g
/** An amount as the language writes it; a status or a code stays as it is. */
const written = (name: string, value: unknown): string => (name === 'ms' && typeof value === 'number' ? formatNumber(value) : String(value))

/** What is wrong, in words, and what to do about it. */
export function useReasonWords(): (reason: Pick<Reason, 'code' | 'params'>) => ReasonWords {
  const { t, i18n } = useTranslation('reasons')
  return useCallback(
    ({ code, params }) => {
      const found: unknown = i18n.getResource(i18n.language, 'reasons', `${code}.detail`)
      const text = typeof found === 'string' ? found : ''
      const needed = [...text.matchAll(gaps)].flatMap(([, name]) => name ?? [])
      return {
        what: t(`${code}.what`),
        detail:
          text !== '' && needed.every((name) => params[name] !== undefined)
            ? text.replace(gaps, (_, name: string) => written(name, params[name]))
            : null,
        advice: t(`${code}.advice`),
      }
    },
    [t, i18n],
  )
}
