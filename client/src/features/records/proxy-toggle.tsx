import { IconCloudFilled, IconCloudOff } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { isProxiable } from '#shared/features/records/record-types.ts'
import type { DnsRecord } from '#shared/features/records/schema.ts'
import classes from './records.module.css'

const look = { size: 15, stroke: 1.7, 'aria-hidden': true } as const
const onIcon = <IconCloudFilled {...look} />
const offIcon = <IconCloudOff {...look} />

/** R-DNS-02: whether a record goes through the provider, changed by one click; nothing for the types that cannot. */
export function ProxyToggle({
  record,
  busy,
  locked,
  onToggle,
}: {
  record: DnsRecord
  busy: boolean
  /** Why nobody may change it. */
  locked: string | null
  onToggle: (record: DnsRecord) => void
}) {
  const { t } = useTranslation('records')
  const { type, name, proxied, proxiable } = record
  if (!isProxiable(type)) return null
  const fixed = locked ?? (proxiable || proxied ? null : t('not_proxiable'))
  return (
    <button
      type="button"
      role="switch"
      aria-checked={proxied}
      aria-label={t('toggle_proxy', { record: `${type} ${name}` })}
      aria-busy={busy || undefined}
      title={fixed ?? t(proxied ? 'proxy_off' : 'proxy_on')}
      className={classes['proxy']}
      data-on={proxied || undefined}
      data-no-open
      disabled={fixed !== null}
      tabIndex={-1}
      onClick={() => onToggle(record)}
    >
      {proxied ? onIcon : offIcon}
      <span>{t(proxied ? 'proxied' : 'dns_only')}</span>
    </button>
  )
}
