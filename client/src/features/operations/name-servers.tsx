import { Button } from '@mantine/core'
import { IconCopy, IconReceipt2 } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { Suspense, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useManagedRegistrars } from '#client/features/registrars/index.ts'
import { lazyPart } from '#client/lib/lazy-part.tsx'
import { toast } from '#client/lib/toast.ts'
import { useCopy } from '#client/ui/display/copy-button.tsx'
import { EmptyState } from '#client/ui/feedback/empty-state.tsx'
import { ErrorState } from '#client/ui/feedback/error-state.tsx'
import { Skeleton } from '#client/ui/feedback/skeleton.tsx'
import { pairsOf, type NameServerPair } from './name-server-pairs.ts'
import { useAllItems, type Item } from './queries.ts'
import { useOperationWords } from './use-operation-words.ts'
import classes from './operations.module.css'

const BulkDialog = lazyPart(async () => (await import('./bulk-dialog.tsx')).BulkDialog)

const namedAtMost = 6
const icon = <IconCopy size={14} stroke={1.8} aria-hidden />

/** The name servers to set for the new domains (R-DOM-06). */
export function NameServers({ id, going }: { id: string; going: boolean }) {
  const { t } = useTranslation('operations')
  const words = useOperationWords()
  const items = useAllItems(id, going)
  // If all are set, they are shown for reference.
  const { pairs, made, open } = useMemo(() => {
    const made = (items.data ?? []).filter(({ nameServers }) => nameServers !== null && nameServers.length > 0)
    const open = made.filter(({ serversSet }) => !serversSet)
    return { pairs: pairsOf(open.length > 0 ? open : made), made, open }
  }, [items.data])
  if (items.isError && items.data === undefined) return <ErrorState error={items.error} onRetry={() => void items.refetch()} />
  if (items.isPending) return <Skeleton width={320} height={48} />
  if (pairs.length === 0) return <EmptyState picture="empty" title={t('servers.empty')} text={t('servers.empty_text')} />
  return (
    <>
      {open.length < made.length ? (
        <p className={`size-12 muted ${classes['quiet']}`} role="status">
          {t('servers.already', { domains: words.domains(made.length - open.length) })}
        </p>
      ) : null}
      {open.length > 0 ? <WhatToDo items={open} /> : null}
      <ul className={`column gap-8 scroll-y ${classes['pairs']}`} aria-label={t('views.servers')}>
        {pairs.map((pair) => (
          <Pair key={pair.servers.join(' ')} pair={pair} />
        ))}
      </ul>
    </>
  )
}

/** Copies the whole list, or sets the name servers where the panel has the registrar's API key. */
function WhatToDo({ items }: { items: readonly Item[] }) {
  const { t } = useTranslation('operations')
  const take = useTake()
  const registrars = useManagedRegistrars()
  const [setting, setSetting] = useState(false)
  const ids = items.flatMap(({ zoneId: domainId, present }) => (domainId !== null && present ? [domainId] : []))
  const byApi = registrars?.some(({ type }) => type === 'API_ENABLED')
  return (
    <div className="row wrap between anywhere gap-8-16 mb-12">
      <p className={`size-12 muted ${classes['quiet']}`}>
        {t('servers.what')}{' '}
        {byApi === false ? (
          <>
            {t('servers.no_registrar')} <Link to="/registrars">{t('servers.connect')}</Link>
          </>
        ) : null}
      </p>
      <span className="flex wrap gap-8">
        <Button
          variant="default"
          size="xs"
          leftSection={icon}
          onClick={() =>
            void take(items.map(({ displayName, nameServers }) => [displayName, ...(nameServers ?? [])].join('\t')).join('\n'))
          }
        >
          {t('servers.copy_table')}
        </Button>
        {byApi === true && ids.length > 0 ? (
          <Button size="xs" leftSection={<IconReceipt2 size={14} stroke={1.8} aria-hidden />} onClick={() => setSetting(true)}>
            {t('servers.set')}
          </Button>
        ) : null}
      </span>
      {setting ? (
        <Suspense>
          <BulkDialog
            kind="name_servers"
            count={ids.length}
            targetOf={() => Promise.resolve({ ids })}
            onStarted={() => setSetting(false)}
            onClose={() => setSetting(false)}
          />
        </Suspense>
      ) : null}
    </div>
  )
}

function useTake(): (text: string) => Promise<void> {
  const { t } = useTranslation(['operations', 'common'])
  const { copy } = useCopy()
  return async (text) => {
    if (await copy(text)) toast.success(t('common:copied'))
  }
}

function Pair({ pair: { servers, domains } }: { pair: NameServerPair }) {
  const { t } = useTranslation('operations')
  const words = useOperationWords()
  const take = useTake()
  return (
    <li>
      <div className="row wrap between anywhere gap-8-16">
        <span className="mono">{servers.join(' · ')}</span>
        <span className="flex wrap gap-8">
          <Button variant="default" size="xs" leftSection={icon} onClick={() => void take(servers.join('\n'))}>
            {t('servers.copy')}
          </Button>
          <Button variant="default" size="xs" leftSection={icon} onClick={() => void take(domains.join('\n'))}>
            {t('servers.copy_domains')}
          </Button>
        </span>
      </div>
      <p className={`size-12 muted ${classes['quiet']}`}>
        {words.domains(domains.length)}
        {': '}
        {domains.slice(0, namedAtMost).join(', ')}
        {domains.length > namedAtMost ? '…' : ''}
      </p>
    </li>
  )
}
