import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { formatDuration } from '#client/lib/format.ts'
import { autoTtl } from './record-draft.ts'

/** The label of a TTL: ‘Auto’, ‘5 min’, ‘1 hour’. */
export function useTtlWords(): (ttl: number, long?: boolean) => string {
  const { t } = useTranslation('records')
  return useMemo(() => {
    const auto = t('ttl_auto')
    return (ttl, long = false) => (ttl === autoTtl ? auto : formatDuration(ttl, long))
  }, [t])
}
