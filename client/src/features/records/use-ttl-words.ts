import { useCallback } from 'react'
import { useTranslation } from 'react-i18next'
import { formatDuration } from '#client/lib/format.ts'
import { autoTtl } from './record-types.ts'

/** How a TTL is called: ‘Auto’, ‘5 min’, ‘1 hour’. */
export function useTtlWords(): (ttl: number, long?: boolean) => string {
  const { t } = useTranslation('records')
  return useCallback((ttl, long = false) => (ttl === autoTtl ? t('ttl_auto') : formatDuration(ttl, long)), [t])
}
