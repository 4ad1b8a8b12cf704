import { Button } from '@mantine/core'
import { IconArrowRight } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import type { AddressDomain, OriginAddress } from '#shared/features/addresses/schema.ts'
import { counted } from '#client/lib/format.ts'
import { trpc } from '#client/lib/trpc.ts'
import { ErrorState } from '#client/ui/feedback/error-state.tsx'
import { Skeleton } from '#client/ui/feedback/skeleton.tsx'
import classes from './addresses.module.css'

const aheadPx = 400
const recordsShown = 3

/** The domains with a record that points to the address; more load on scrolling. */
export function AddressDomains({ origin, ownerId, onMove }: { origin: OriginAddress; ownerId: string | undefined; onMove: () => void }) {
  const { t } = useTranslation('addresses')
  const { address, domains: count } = origin
  const list = trpc.addresses.domains.useInfiniteQuery(
    { address, ...(ownerId && { ownerId }), limit: 100 },
    { getNextPageParam: (page) => page.nextCursor, staleTime: 0 },
  )
  const domains = list.data?.pages.flatMap((page) => page.domains)
  if (list.error !== null && domains === undefined) return <ErrorState error={list.error} onRetry={() => void list.refetch()} />
  return (
    <div className="column gap-14">
      <p className="size-13 secondary">{t('behind', counted(count))}</p>
      <ul
        aria-label={t('column.domains')}
        aria-busy={list.isPending || undefined}
        className={`column framed scroll ${classes['rows']}`}
        onScroll={({ currentTarget: { scrollHeight, scrollTop, clientHeight } }) => {
          if (scrollHeight - scrollTop - clientHeight < aheadPx && list.hasNextPage && !list.isFetchingNextPage) void list.fetchNextPage()
        }}
      >
        {domains === undefined
          ? Array.from({ length: Math.min(count, 8) }, (_, index) => (
              <li key={index} className={`column fixed size-13 divided ${classes['row']}`}>
                <Skeleton width={`${40 + ((index * 13) % 40)}%`} />
              </li>
            ))
          : domains.map((domain) => <Row key={domain.id} domain={domain} />)}
        {domains?.length === 0 ? <li className={`size-13 secondary text-center ${classes['rowsEmpty']}`}>{t('none_left')}</li> : null}
      </ul>
      <div className="flex wrap gap-8 end">
        <Button rightSection={<IconArrowRight size={15} stroke={2} aria-hidden />} disabled={!domains?.length} onClick={onMove}>
          {t('move.open')}
        </Button>
      </div>
    </div>
  )
}

function Row({ domain: { id, displayName, account, records } }: { domain: AddressDomain }) {
  const { t } = useTranslation('addresses')
  const more = records.length - recordsShown
  return (
    <li className={`column fixed size-13 divided ${classes['row']}`}>
      <span className="flex gap-12 baseline between shrink">
        <Link
          to="/domains/$id"
          params={{ id }}
          className={`cut medium primary hover-accent hover-underline ${classes['link']} mono`}
          title={displayName}
        >
          <bdi dir="ltr">{displayName}</bdi>
        </Link>
        <bdi className="cut shrink size-12 muted" title={account}>
          {account}
        </bdi>
      </span>
      {records.slice(0, recordsShown).map(({ type, name, proxied }) => (
        <span key={`${type} ${name} ${proxied}`} className="size-12 secondary flex gap-12 baseline between shrink">
          <bdi className="cut block shrink mono" dir="ltr" title={name}>
            {name}
          </bdi>
          <span className="fixed">{t(proxied ? 'proxied' : 'unproxied')}</span>
        </span>
      ))}
      {more > 0 ? <span className="size-12 muted">{t('more_records', counted(more))}</span> : null}
    </li>
  )
}
