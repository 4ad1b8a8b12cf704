import { ActionIcon } from '@mantine/core'
import { IconRefresh } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { Skeleton } from '#client/ui/feedback/skeleton.tsx'
import type { Served } from './queries.ts'
import classes from '../registrars.module.css'

/** The current name servers according to DNS. */
export function ServedCell({ served }: { served: Served }) {
  const { t } = useTranslation('registrars')
  if (served.state === 'asking') return <Skeleton width={170} />
  if (served.state === 'answered' && served.nameServers !== null) {
    const { nameServers } = served
    if (nameServers.length === 0) return <span className={classes['muted']}>{t('unbound.dns.none')}</span>
    return (
      <span className={`${classes['servers']} mono`} title={nameServers.join(', ')}>
        {nameServers.join(', ')}
      </span>
    )
  }
  return (
    <span className="inline gap-4">
      <span className={classes['muted']}>{t(served.state === 'answered' ? 'unbound.dns.silent' : 'unbound.dns.failed')}</span>
      <ActionIcon size={22} aria-label={t('unbound.dns.again')} title={t('unbound.dns.again')} onClick={served.retry}>
        <IconRefresh size={13} stroke={1.7} />
      </ActionIcon>
    </span>
  )
}
