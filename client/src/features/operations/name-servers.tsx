import { Button } from '@mantine/core'
import { IconCopy } from '@tabler/icons-react'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { toast } from '#client/lib/toast.ts'
import { useCopy } from '#client/ui/copy-button.tsx'
import { EmptyState } from '#client/ui/empty-state.tsx'
import { ErrorState } from '#client/ui/error-state.tsx'
import { Skeleton } from '#client/ui/skeleton.tsx'
import { pairsOf, type NameServerPair } from './name-server-pairs.ts'
import { useAllItems } from './use-items.ts'
import { useOperationWords } from './use-operation-words.ts'
import classes from './operations.module.css'

const namedAtMost = 6

/** Which name servers to set for which of the new domains (R-DOM-06). */
export function NameServers({ id, going }: { id: string; going: boolean }) {
  const { t } = useTranslation('operations')
  const items = useAllItems(id, going)
  const pairs = useMemo(() => pairsOf(items.data ?? []), [items.data])
  if (items.isError && items.data === undefined) return <ErrorState error={items.error} onRetry={() => void items.refetch()} />
  if (items.isPending) return <Skeleton width={320} height={48} />
  if (pairs.length === 0) return <EmptyState picture="empty" title={t('servers.empty')} text={t('servers.empty_text')} />
  return (
    <ul className={classes['pairs']} aria-label={t('views.servers')}>
      {pairs.map((pair) => (
        <Pair key={pair.servers.join(' ')} pair={pair} />
      ))}
    </ul>
  )
}

function Pair({ pair: { servers, domains } }: { pair: NameServerPair }) {
  const { t } = useTranslation('operations')
  const words = useOperationWords()
  const { copy } = useCopy(t('page.copy_failed'))
  const take = async (text: string): Promise<void> => {
    if (await copy(text)) toast.success(t('servers.copied'))
  }
  const icon = <IconCopy size={14} stroke={1.8} aria-hidden />
  return (
    <li>
      <div className={classes['pairHead']}>
        <span className="mono">{servers.join(' · ')}</span>
        <span className={classes['pairActions']}>
          <Button variant="default" size="xs" leftSection={icon} onClick={() => void take(servers.join('\n'))}>
            {t('servers.copy')}
          </Button>
          <Button variant="default" size="xs" leftSection={icon} onClick={() => void take(domains.join('\n'))}>
            {t('servers.copy_domains')}
          </Button>
        </span>
      </div>
      <p className={classes['quiet']}>
        {words.domains(domains.length)}
        {': '}
        {domains.slice(0, namedAtMost).join(', ')}
        {domains.length > namedAtMost ? '…' : ''}
      </p>
    </li>
  )
}
