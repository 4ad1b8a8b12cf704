import { Button } from '@mantine/core'
import { useId, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { formatDay, useNow } from '#client/lib/format.ts'
import { ErrorState } from '#client/ui/feedback/error-state.tsx'
import { Skeleton } from '#client/ui/feedback/skeleton.tsx'
import { lateDialog } from '#client/ui/overlay/layer.tsx'
import { groupEntries } from './group-entries.ts'
import { EntryRow, GroupRow } from './history-group.tsx'
import { listRows } from './list-rows.ts'
import { useAccountHistory, type Entry } from './queries.ts'
import classes from './account-changes.module.css'

const RevertDialog = lateDialog(async () => (await import('./revert-dialog.tsx')).RevertDialog)
const noneSelected: ReadonlySet<string> = new Set()

/** What the panel has changed in the rules of an account, with undo. */
export function AccountChanges({ accountId, locked }: { accountId: string; locked: string | null }) {
  const { t } = useTranslation(['history', 'ip-access'])
  const history = useAccountHistory(accountId)
  const nowMs = useNow()
  const id = useId()
  const [reverting, setReverting] = useState<readonly Entry[] | null>(null)
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set())
  const entries = useMemo(() => history.data?.pages.flatMap((page) => page.entries) ?? [], [history.data])
  const rows = useMemo(() => listRows(groupEntries(entries), open), [entries, open])
  const acting = { selected: noneSelected, onRevert: setReverting, revertible: locked === null }
  const toggle = (group: string, expanded: boolean): void =>
    setOpen((before) => (expanded ? before.union(new Set([group])) : before.difference(new Set([group]))))
  return (
    <section aria-labelledby={id} className="line-top">
      <h3 id={id} className={`size-13 ${classes['title']}`}>
        {t('ip-access:changes')}
      </h3>
      {history.isPending ? (
        <div className={classes['none']} role="status" aria-busy>
          <span className="sr-only">{t('loading')}</span>
          <Skeleton width="60%" />
        </div>
      ) : history.isError && entries.length === 0 ? (
        <ErrorState title={t('failed')} error={history.error} onRetry={() => void history.refetch()} />
      ) : entries.length === 0 ? (
        <p className={`size-13 muted ${classes['none']}`}>{t('ip-access:no_changes')}</p>
      ) : (
        <div role="list" aria-label={t('list')} className={classes['list']}>
          {rows.map((row) => (
            <div role="listitem" key={row.key} className={row.kind === 'day' ? undefined : 'divided'}>
              {row.kind === 'day' ? (
                <h4 className={`size-12 secondary ${classes['day']}`}>{formatDay(row.ms, nowMs)}</h4>
              ) : row.kind === 'group' ? (
                <GroupRow
                  group={row.group}
                  open={open.has(row.group.id)}
                  onToggle={(expanded) => toggle(row.group.id, expanded)}
                  {...acting}
                />
              ) : (
                <EntryRow entry={row.entry} inner={row.inner} {...acting} />
              )}
            </div>
          ))}
          {history.hasNextPage ? (
            <Button
              variant="default"
              size="xs"
              className={classes['more'] ?? ''}
              loading={history.isFetchingNextPage}
              onClick={() => void history.fetchNextPage()}
            >
              {t('more')}
            </Button>
          ) : null}
        </div>
      )}
      {reverting === null ? null : (
        <RevertDialog
          scope={{ kind: 'account', id: accountId }}
          entries={reverting}
          onDone={() => undefined}
          onClose={() => setReverting(null)}
        />
      )}
    </section>
  )
}
