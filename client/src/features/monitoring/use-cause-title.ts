import { useCallback } from 'react'
import { useTranslation } from 'react-i18next'
import { readCause } from '#shared/features/monitoring/cause.ts'
import { reasonCodes } from '#shared/features/monitoring/reasons.ts'
import { useReasonWords } from './use-reason-words.ts'

/** The title of a cause: the account, the address, the name servers, the registrar, the tracker, or the reason. */
export function useCauseTitle(): (cause: string, name?: string) => string {
  const { t } = useTranslation('monitoring')
  const words = useReasonWords()
  return useCallback(
    (cause, name) => {
      const known = readCause(cause)
      if (known.kind === 'origin') return t('cause.origin', { name: known.address })
      if (known.kind === 'name_servers') return t('cause.name_servers', { name: known.nameServers.join(', ') })
      if (known.kind !== 'code') return t(`cause.${known.kind}`, { name: name ?? '' }).trim()
      const code = reasonCodes.find((each) => each === known.code)
      return code === undefined ? known.code : words({ code, params: {} }).what
    },
    [t, words],
  )
}
