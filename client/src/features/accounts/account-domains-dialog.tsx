import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { allows } from '#shared/features/sharing/rules.ts'
import type { Account } from '#shared/features/accounts/schema.ts'
import { statusTone } from '#client/features/domains/index.ts'
import { counted } from '#client/lib/format.ts'
import { trpc } from '#client/lib/trpc.ts'
import { CopyButton } from '#client/ui/display/copy-button.tsx'
import { Dialog } from '#client/ui/overlay/dialog.tsx'
import { ErrorState } from '#client/ui/feedback/error-state.tsx'
import { SearchInput } from '#client/ui/filter/search-input.tsx'
import { Skeleton } from '#client/ui/feedback/skeleton.tsx'
import { StatusDot } from '#client/ui/display/state-badge.tsx'
import { keyRefused, ReasonText } from './account-reason.tsx'
import classes from './accounts.module.css'

/** The domains of one account from the mirror; more load on scrolling. */
export function AccountDomainsDialog({
  account,
  onChangeKey,
  onClose,
}: {
  account: Account
  onChangeKey: () => void
  onClose: () => void
}) {
  const { t } = useTranslation(['accounts', 'domains', 'common'])
  const [search, setSearch] = useState('')
  const list = trpc.domains.list.useInfiniteQuery(
    { filter: { accountIds: [account.id], ...(search === '' ? {} : { search }) }, limit: 100 },
    { getNextPageParam: (page) => page.nextCursor ?? undefined },
  )
  const domains = list.data?.pages.flatMap((page) => page.domains)
  const failing = !account.checking && (keyRefused(account) || account.sync.state === 'failed')
  return (
    <Dialog
      onClose={onClose}
      size={520}
      title={`${account.name || account.email} · ${t('common:domains', counted(account.zonesCount))}`}
      styles={{ title: { overflow: 'hidden', textOverflow: 'ellipsis' } }}
    >
      <SearchInput value={search} onChange={setSearch} label={t('domains.search')} busy={list.isFetching} />
      {failing ? (
        <div className={`grid gap-2 size-13 bad radius on-bad ${classes['problem']}`} role="status" style={{ marginTop: 12 }}>
          <ReasonText account={account} />
        </div>
      ) : null}
      {failing && domains?.length === 0 && search === '' ? null : list.isError ? (
        <ErrorState error={list.error} onRetry={() => void list.refetch()} />
      ) : (
        <div
          className={`column framed ${classes['dialogList']}`}
          onScroll={({ currentTarget: { scrollHeight, scrollTop, clientHeight } }) => {
            if (scrollHeight - scrollTop - clientHeight < 400 && list.hasNextPage && !list.isFetchingNextPage) void list.fetchNextPage()
          }}
        >
          {domains === undefined
            ? Array.from({ length: 10 }, (_, index) => (
                <span key={index} className={`row gap-8 size-13 hover divided ${classes['dialogRow']}`}>
                  <Skeleton width={`${40 + ((index * 13) % 40)}%`} />
                </span>
              ))
            : domains.map((domain) => (
                <Link
                  key={domain.id}
                  to="/domains/$id"
                  params={{ id: domain.id }}
                  className={`row gap-8 size-13 hover divided ${classes['dialogRow']}`}
                  onClick={onClose}
                >
                  <StatusDot tone={statusTone[domain.status]} label={t(`domains:status.${domain.status}`)} />
                  <bdi className={`grow shrink ${classes['grow']} mono`} title={domain.displayName}>
                    {domain.displayName}
                  </bdi>
                  <CopyButton text={domain.displayName} />
                </Link>
              ))}
          {domains?.length === 0 ? (
            <span className={`row gap-8 size-13 hover divided ${classes['dialogRow']} ${classes['muted']}`}>
              {search !== '' ? t('domains.none_match') : account.sync.syncedAt === null ? t('domains.not_yet') : t('domains.empty')}
            </span>
          ) : null}
        </div>
      )}
      <div className={`row wrap end gap-8-12 ${classes['submit']}`} style={{ marginTop: 12 }}>
        {failing && keyRefused(account) && allows(account.shared, 'own') ? (
          <Button onClick={onChangeKey}>{t('reason.change_key')}</Button>
        ) : null}
        <Button variant="default" renderRoot={(props) => <Link to="/domains" search={{ account: account.id }} {...props} />}>
          {t('domains.open')}
        </Button>
      </div>
    </Dialog>
  )
}
