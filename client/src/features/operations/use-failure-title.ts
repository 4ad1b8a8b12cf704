import { useTranslation } from 'react-i18next'

/** What could not be done to many domains, by the kind of operation. */
const titles = {
  create: 'domains:add.failed_many',
  delete: 'errors:general.bulk_deletion',
  dns_add: 'operations:failed.dns_add',
  dns_delete: 'operations:failed.dns_delete',
  ip: 'zone:failed.ip',
  buy: 'operations:failed.buy',
  tracker_bind: 'operations:failed.tracker_bind',
} as const

/** The title of its failure with so many domains; of another kind, `otherwise`. */
export function useFailureTitle(kind: string, otherwise: 'bulk.failed' | 'preview.failed', count: number): string {
  const { t } = useTranslation(['operations', 'domains', 'errors', 'zone'])
  return kind in titles ? t(titles[kind as keyof typeof titles], { count }) : t(otherwise)
}
