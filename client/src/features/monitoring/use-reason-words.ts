import { useCallback } from 'react'
import { useTranslation } from 'react-i18next'
import type { Reason } from '#shared/features/monitoring/schema.ts'

export interface ReasonWords {
  what: string
  /** With the values of this case; null where some are not known. */
  detail: string | null
  advice: string
}

const gaps = /\{\{(\w+)\}\}/g

/** What is wrong, in words, and what to do about it. */
export function useReasonWords(): (reason: Pick<Reason, 'code' | 'params'>) => ReasonWords {
  const { t, i18n } = useTranslation('reasons')
  return useCallback(
    ({ code, params }) => {
      const written: unknown = i18n.getResource(i18n.language, 'reasons', `${code}.detail`)
      const text = typeof written === 'string' ? written : ''
      const needed = [...text.matchAll(gaps)].flatMap(([, name]) => name ?? [])
      return {
        what: t(`${code}.what`),
        detail:
          text !== '' && needed.every((name) => params[name] !== undefined)
            ? text.replace(gaps, (_, name: string) => String(params[name]))
            : null,
        advice: t(`${code}.advice`),
      }
    },
    [t, i18n],
  )
}
