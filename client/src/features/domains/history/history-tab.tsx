import { Button } from '@mantine/core'
import { IconArrowBackUp } from '@tabler/icons-react'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { lateDialog } from '#client/ui/overlay/layer.tsx'
import { useHistory, type Entry } from './queries.ts'
import { useAllowed } from '#client/features/sharing/index.ts'
import { counted, useNow } from '#client/lib/format.ts'
import { useShortcuts } from '#client/lib/shortcuts.ts'
import { BulkBar, bulkBarSpace } from '#client/ui/table/bulk-bar.tsx'
import { EmptyState, ShowAll } from '#client/ui/feedback/empty-state.tsx'
import { ErrorState } from '#client/ui/feedback/error-state.tsx'
import { FilterSelect } from '#client/ui/filter/filter-select.tsx'
import { Skeleton } from '#client/ui/feedback/skeleton.tsx'
import { groupEntries } from './group-entries.ts'
import { EntryRow, GroupRow } from './history-group.tsx'
import { HistoryRows } from './history-rows.tsx'
import { listRows } from './list-rows.ts'
import { parseHistorySearch, sources, subjects, type HistorySearch } from './search.ts'
import classes from './history-tab.module.css'

const RevertDialog = lateDialog(async () => (await import('./revert-dialog.tsx')).RevertDialog)

const route = getRouteApi('/_app/domains/$id/history')
const revertAtMost = 500

/** All changes of a domain with author, previous and new value, and undo. */
export function HistoryTab({ domainId }: { domainId: string }) {
  const { t } = useTranslation('history')
  const filter = parseHistorySearch(route.useSearch())
  const navigate = route.useNavigate()
  const history = useHistory(domainId, filter)
  const nowMs = useNow()
  const revertible = useAllowed('operate')
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  const [reverting, setReverting] = useState<readonly Entry[] | null>(null)
  const entries = useMemo(() => history.data?.pages.flatMap((page) => page.entries) ?? [], [history.data])
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set())
  const rows = useMemo(() => listRows(groupEntries(entries), open), [entries, open])
  const selectedRows = revertible ? entries.filter(({ id }) => selected.has(id)) : []
  const filtered = filter.subject !== undefined || filter.source !== undefined

  const select = (ids: readonly string[], value: boolean): void =>
    setSelected((before) => (value ? before.union(new Set(ids)) : before.difference(new Set(ids))))
  const toggleGroup = (id: string, expanded: boolean): void =>
    setOpen((before) => (expanded ? before.union(new Set([id])) : before.difference(new Set([id]))))
  const show = (next: HistorySearch): void => {
    setSelected(new Set())
    void navigate({ search: next, replace: true })
  }
  const acting = { selected, onSelect: select, onRevert: setReverting, revertible }
  useShortcuts({ Escape: () => setSelected(new Set()) }, selected.size > 0)

  return (
    <div className={classes['tab']} style={selectedRows.length > 0 ? { paddingBottom: bulkBarSpace } : undefined}>
      <Filters domainId={domainId} filter={filter} onChange={show} />
      {history.isPending ? (
        <div className={`column ${classes['wait']}`} role="status" aria-busy>
          <span className="sr-only">{t('loading')}</span>
          {[55, 70, 40, 62, 50].map((width) => (
            <Skeleton key={width} width={`${width}%`} />
          ))}
        </div>
      ) : history.isError && entries.length === 0 ? (
        <ErrorState title={t('failed')} error={history.error} onRetry={() => void history.refetch()} />
      ) : entries.length === 0 ? (
        <EmptyState
          picture={filtered ? 'search' : 'empty'}
          title={t(filtered ? 'no_match' : 'empty')}
          text={filtered ? undefined : t('empty_text')}
          action={filtered ? <ShowAll onClick={() => show({})} /> : undefined}
        />
      ) : (
        <div className={`column gap-8 ${classes['days']}`} aria-busy={history.isPlaceholderData}>
          <HistoryRows label={t('list')} rows={rows} nowMs={nowMs}>
            {(row) =>
              row.kind === 'group' ? (
                <GroupRow
                  group={row.group}
                  open={open.has(row.group.id)}
                  onToggle={(expanded) => toggleGroup(row.group.id, expanded)}
                  {...acting}
                />
              ) : (
                <EntryRow entry={row.entry} inner={row.inner} {...acting} />
              )
            }
          </HistoryRows>
          {history.hasNextPage ? (
            <Button variant="default" className={classes['more'] ?? ''} loading={history.isFetchingNextPage} onClick={history.fetchMore}>
              {t('more')}
            </Button>
          ) : null}
        </div>
      )}
      <BulkBar count={selectedRows.length} label={t('selected', counted(selectedRows.length))} onClear={() => setSelected(new Set())}>
        <Button
          size="xs"
          leftSection={<IconArrowBackUp size={15} stroke={1.8} />}
          disabled={selectedRows.length > revertAtMost}
          onClick={() => setReverting(selectedRows)}
        >
          {t('revert_selected')}
        </Button>
      </BulkBar>
      {reverting === null ? null : (
        <RevertDialog
          scope={{ kind: 'domain', id: domainId }}
          entries={reverting}
          onDone={() => setSelected(new Set())}
          onClose={() => setReverting(null)}
        />
      )}
    </div>
  )
}

function Filters({ domainId, filter, onChange }: { domainId: string; filter: HistorySearch; onChange: (filter: HistorySearch) => void }) {
  const { t } = useTranslation('history')
  return (
    <div className={`flex wrap gap-6 ${classes['filters']}`} role="search" aria-label={t('filters')}>
      <FilterSelect
        label={t('subject')}
        options={subjects.map((value) => ({ value, label: t(`subjects.${value}`) }))}
        values={filter.subject === undefined ? [] : [filter.subject]}
        onChange={([subject]) => onChange({ ...(filter.source && { source: filter.source }), ...(subject && { subject }) })}
      />
      <FilterSelect
        label={t('source')}
        options={sources.map((value) => ({ value, label: t(`sources.${value}`) }))}
        values={filter.source === undefined ? [] : [filter.source]}
        onChange={([source]) => onChange({ ...(filter.subject && { subject: filter.subject }), ...(source && { source }) })}
      />
      <Button
        variant="default"
        size="xs"
        className="push"
        renderRoot={(props) => <Link to="/activity-logs/changes" search={{ domain: domainId }} {...props} />}
      >
        {t('at_provider')}
      </Button>
    </div>
  )
}
