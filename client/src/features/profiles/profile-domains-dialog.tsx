import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Dialog } from '#client/ui/overlay/dialog.tsx'
import type { Profile } from './mutations.ts'
import { BulkDialog, VerifyRules } from '#client/features/operations/index.ts'
import { counted } from '#client/lib/format.ts'
import { api, trpc, type Outputs } from '#client/lib/trpc.ts'
import { EmptyState } from '#client/ui/feedback/empty-state.tsx'
import { ErrorBoundary } from '#client/ui/feedback/error-boundary.tsx'
import { ErrorState } from '#client/ui/feedback/error-state.tsx'
import { ScrollRegion } from '#client/ui/layout/scroll-region.tsx'
import { Skeleton } from '#client/ui/feedback/skeleton.tsx'
import { StateBadge } from '#client/ui/display/state-badge.tsx'
import { useDifferingWords } from './use-differing-words.ts'
import classes from './profiles.module.css'

type Row = Outputs['profiles']['domains']['domains'][number]
const aheadPx = 400

/** The domains of a profile with their drift, and an action to restore the profile on all of them. */
export function ProfileDomainsDialog({ profile, onClose }: { profile: Profile; onClose: () => void }) {
  const { t } = useTranslation(['profiles', 'common'])
  const words = useDifferingWords()
  const { id, name, rules, domains: count } = profile
  const [applying, setApplying] = useState(false)
  const [verifies, setVerifies] = useState(false)
  const list = trpc.profiles.domains.useInfiniteQuery({ id, limit: 100 }, { getNextPageParam: (page) => page.nextCursor, staleTime: 0 })
  const { data: counts } = trpc.profiles.differing.useQuery({ id }, { enabled: count > 0, trpc: { context: { unbatched: true } } })
  const domains = list.data?.pages.flatMap((page) => page.domains)
  return (
    <>
      <Dialog opened={!applying} onClose={onClose} title={t('domains_dialog.title', { profile: name })} size={560} keepMounted>
        {list.error !== null && domains === undefined ? (
          <ErrorState error={list.error} onRetry={() => void list.refetch()} />
        ) : domains?.length === 0 ? (
          <EmptyState
            picture="empty"
            title={t('domains_dialog.empty')}
            text={t('domains_dialog.empty_text')}
            action={
              <Button variant="default" renderRoot={(props) => <Link to="/domains" {...props} />}>
                {t('domains_dialog.to_domains')}
              </Button>
            }
          />
        ) : (
          <div className="column gap-16">
            <p className="size-13 secondary" role="status">
              {t('common:domains', counted(count))}
              {counts === undefined ? null : ` · ${words(counts)}`}
            </p>
            <ScrollRegion
              label={t('domains_dialog.list')}
              busy={list.isPending}
              className={`framed scroll ${classes['rows']}`}
              onScroll={({ currentTarget: { scrollHeight, scrollTop, clientHeight } }) => {
                if (scrollHeight - scrollTop - clientHeight < aheadPx && list.hasNextPage && !list.isFetchingNextPage) {
                  void list.fetchNextPage()
                }
              }}
            >
              <ul>
                {domains === undefined
                  ? Array.from({ length: Math.min(count, 8) }, (_, index) => (
                      <li key={index} className={`row gap-12 between fixed size-13 divided h-36 p-0-12 ${classes['row']}`}>
                        <Skeleton width={`${40 + ((index * 13) % 40)}%`} />
                      </li>
                    ))
                  : domains.map((row) => <DomainRow key={row.id} row={row} />)}
              </ul>
            </ScrollRegion>
            {rules.length === 0 ? null : (
              <Suspense fallback={<Skeleton width="60%" height={38} />}>
                <VerifyRules checked={verifies} onChange={setVerifies} />
              </Suspense>
            )}
            <div className="flex wrap gap-8 end">
              <Button variant="default" onClick={onClose}>
                {t('common:close')}
              </Button>
              <Button disabled={counts === undefined || counts.differing + counts.unread === 0} onClick={() => setApplying(true)}>
                {t('domains_dialog.apply')}
              </Button>
            </div>
          </div>
        )}
      </Dialog>
      {applying ? (
        <ErrorBoundary onFail={() => setApplying(false)}>
          <Suspense>
            <BulkDialog
              kind="profile"
              count={count}
              given={{ kind: 'profile', input: { profileId: id, verify: verifies } }}
              targetOf={() => api.profiles.domainIds.query({ id })}
              onStarted={onClose}
              onClose={() => setApplying(false)}
            />
          </Suspense>
        </ErrorBoundary>
      ) : null}
    </>
  )
}

function DomainRow({ row: { id, domain, differs } }: { row: Row }) {
  const { t } = useTranslation('profiles')
  return (
    <li className={`row gap-12 between fixed size-13 divided h-36 p-0-12 ${classes['row']}`}>
      <Link to="/domains/$id" params={{ id }} className="cut underlined hover-current mono" title={domain}>
        <bdi dir="ltr">{domain}</bdi>
      </Link>
      {differs === null ? (
        <StateBadge quiet tone="idle" label={t('unread')} />
      ) : differs === 0 ? (
        <StateBadge quiet tone="good" label={t('same')} />
      ) : (
        <StateBadge quiet tone="warn" label={t('differences', counted(differs))} />
      )}
    </li>
  )
}
