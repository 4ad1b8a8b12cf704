import { IconCloudFilled, IconCloudOff } from '@tabler/icons-react'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { isProxiable } from '#shared/features/domains/records/record-types.ts'
import type { DnsRecord } from '#shared/features/domains/records/schema.ts'
import { gapText } from '#client/lib/text.ts'
import classes from './records.module.css'

const look = { size: 15, stroke: 1.7, 'aria-hidden': true } as const
const onIcon = <IconCloudFilled {...look} />
const offIcon = <IconCloudOff {...look} />

interface ProxyWords {
  on: string
  off: string
  turnOn: string
  turnOff: string
  impossible: string
  label: (record: string) => string
}

/** Translated once for all rows. */
export function useProxyWords(): ProxyWords {
  const { t } = useTranslation('records')
  return useMemo(
    () => ({
      on: t('proxied'),
      off: t('dns_only'),
      turnOn: t('proxy_on'),
      turnOff: t('proxy_off'),
      impossible: t('not_proxiable'),
      label: gapText((record) => t('toggle_proxy', { record })),
    }),
    [t],
  )
}

/** R-DNS-02: toggles the proxy with one click; not shown for types that cannot be proxied. */
export function ProxyToggle({
  record,
  words,
  busy,
  locked,
  onToggle,
}: {
  record: DnsRecord
  words: ProxyWords
  busy: boolean
  /** Why it is disabled. */
  locked: string | null
  onToggle: (record: DnsRecord) => void
}) {
  const { type, name, proxied, proxiable } = record
  if (!isProxiable(type)) return null
  const fixed = locked ?? (proxiable || proxied ? null : words.impossible)
  return (
    <button
      type="button"
      role="switch"
      aria-checked={proxied}
      aria-label={words.label(`${type} ${name}`)}
      aria-busy={busy || undefined}
      title={fixed ?? (proxied ? words.turnOff : words.turnOn)}
      className={`inline gap-6 fixed muted pointer radius-s no-border no-background ${classes['proxy']}`}
      data-on={proxied || undefined}
      data-no-open
      disabled={fixed !== null}
      tabIndex={-1}
      onClick={() => onToggle(record)}
    >
      {proxied ? onIcon : offIcon}
      <span>{proxied ? words.on : words.off}</span>
    </button>
  )
}
