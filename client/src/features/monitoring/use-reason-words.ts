import { useCallback } from 'react'
import { useTranslation } from 'react-i18next'
import type { Reason } from '#shared/features/monitoring/schema.ts'
import { localeOf } from '#shared/i18n/languages.ts'
import { reasonDetail } from '#shared/i18n/reason-detail.ts'
import { language } from '#client/lib/i18n.ts'
import { formatNumber } from '#client/lib/format.ts'

interface ReasonWords {
  what: string
  /** With its parameters; null if some are missing. */
  detail: string | null
  advice: string
}

const amounts: readonly string[] = ['ms', 'before', 'threats', 'usual']
/** Amounts are formatted by the locale; a status or a code is not. */
const written = (name: string, value: unknown): string =>
  typeof value === 'number' && amounts.includes(name) ? formatNumber(value) : String(value)

/** Converts a reason to its text and advice. */
export function useReasonWords(): (reason: Pick<Reason, 'code' | 'params'>) => ReasonWords {
  const { t, i18n } = useTranslation('reasons')
  return useCallback(
    ({ code, params }) => {
      const textOf = (form: string): string | undefined => {
        const key = form === '' ? `${code}.detail` : `${code}.detail${form}`
        const text: unknown = i18n.getResource(i18n.language, 'reasons', key)
        return typeof text === 'string' ? text : undefined
      }
      return {
        what: t(`${code}.what`),
        detail: reasonDetail(textOf, localeOf[language()].locale, params, written),
        advice: t(`${code}.advice`),
      }
    },
    [t, i18n],
  )
}
