import { useTranslation } from 'react-i18next'

/** The failure title of each bulk kind. */
const titles = {
  create: 'domains:add.failed_many',
  delete: 'errors:general.bulk_deletion',
  dns_add: 'operations:failed.dns_add',
  dns_delete: 'operations:failed.dns_delete',
  ip: 'zone:failed.ip',
  buy: 'operations:failed.buy',
  tracker_bind: 'operations:failed.tracker_bind',
} as const

/** The failure title for this number of domains; `otherwise` for another kind. */
export function useFailureTitle(kind: string, otherwise: 'bulk.failed' | 'preview.failed', count: number): string {
  const { t } = useTranslation(['operations', 'domains', 'errors', 'zone'])
  return kind in titles ? t(titles[kind as keyof typeof titles], { count }) : t(otherwise)
}
