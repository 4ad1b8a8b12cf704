import { useCallback } from 'react'
import { useTranslation } from 'react-i18next'
import type { Reason } from '#shared/features/monitoring/schema.ts'
import { localeOf } from '#shared/i18n/languages.ts'
import { reasonDetail } from '#shared/i18n/reason-detail.ts'
import { language } from '#client/lib/i18n.ts'
import { formatNumber } from '#client/lib/format.ts'

interface ReasonWords {
  what: string
  /** With the values of this case; null where some are not known. */
  detail: string | null
  advice: string
}

/** An amount as the language writes it; a status or a code stays as it is. */
const written = (name: string, value: unknown): string => (name === 'ms' && typeof value === 'number' ? formatNumber(value) : String(value))

/** What is wrong, in words, and what to do about it. */
export function useReasonWords(): (reason: Pick<Reason, 'code' | 'params'>) => ReasonWords {
  const { t, i18n } = useTranslation('reasons')
  return useCallback(
    ({ code, params }) => {
      const key = `${code}.detail`
      const textOf = (form: string): string | undefined => {
        const text: unknown = i18n.getResource(i18n.language, 'reasons', key + form)
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
