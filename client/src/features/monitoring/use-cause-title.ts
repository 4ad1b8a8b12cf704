import { useCallback } from 'react'
import { useTranslation } from 'react-i18next'
import { reasonCode } from '#shared/features/monitoring/schema.ts'
import { useReasonWords } from './use-reason-words.ts'

/** What a cause is called: whose key, which address, whose unpaid names, or simply what is wrong. */
export function useCauseTitle(): (cause: string, name?: string) => string {
  const { t } = useTranslation('monitoring')
  const words = useReasonWords()
  return useCallback(
    (cause, name) => {
      const at = cause.indexOf(':')
      const kind = cause.slice(0, at)
      const rest = cause.slice(at + 1)
      if (kind === 'account') return t('cause.account', { name: name ?? '' }).trim()
      if (kind === 'origin') return t('cause.origin', { name: rest })
      if (kind === 'registrar') return t('cause.registrar', { name: name ?? '' }).trim()
      const code = reasonCode.options.find((each) => each === rest)
      return code === undefined ? rest : words({ code, params: {} }).what
    },
    [t, words],
  )
}
