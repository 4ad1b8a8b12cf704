import { ActionIcon, Button, Menu } from '@mantine/core'
import {
  IconArrowBackUp,
  IconArrowLeft,
  IconDownload,
  IconPlayerPause,
  IconPlayerPlay,
  IconPlayerStop,
  IconRefresh,
} from '@tabler/icons-react'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Operation, OperationPreview } from '#shared/features/operations/schema.ts'
import { failureOf } from '#client/lib/errors.ts'
import { formatDateTime, formatNumber, formatTime, useNow } from '#client/lib/format.ts'
import { saveFile } from '#client/lib/save-file.ts'
import { toast } from '#client/lib/toast.ts'
import { trpc } from '#client/lib/trpc.ts'
import { ConfirmDialog } from '#client/ui/confirm-dialog.tsx'
import { useCopy } from '#client/ui/copy-button.tsx'
import { DataTable } from '#client/ui/data-table.tsx'
import type { DataColumn } from '#client/ui/data-table.types.ts'
import { EmptyState } from '#client/ui/empty-state.tsx'
import { ErrorState } from '#client/ui/error-state.tsx'
import { PageHeader } from '#client/ui/page-header.tsx'
import { RelativeTime } from '#client/ui/relative-time.tsx'
import { SearchInput } from '#client/ui/search-input.tsx'
import { StateBadge } from '#client/ui/state-badge.tsx'
import type { Tone } from '#client/ui/status-dot.tsx'
import { Tile, Tiles } from '#client/ui/tile.tsx'
import { useColumnLayout } from '#client/ui/use-column-layout.ts'
import { ChangeLine } from './change-line.tsx'
import { failuresCsv } from './failures-csv.ts'
import { changesOf } from './item-changes.ts'
import { OperationProgressBar } from './operation-progress-bar.tsx'
import { finishedItems, isActive, queuedItems, secondsLeft, shownState, stateTones } from './operation-progress.ts'
import { PreviewDialog } from './preview-dialog.tsx'
import { parseItemsSearch, tileStates, type ItemsSearch } from './search.ts'
import { useChangeWords } from './use-change-words.ts'
import { collectItems, useItems, type Item } from './use-items.ts'
import { refreshOperations } from './use-operation-news.ts'
import { useOperationWords } from './use-operation-words.ts'
import { isUndoable, useUndo } from './use-undo.ts'
import { useWaiting } from './use-waiting.ts'
import classes from './operations.module.css'

const route = getRouteApi('/_app/operations/$id')
const cardHeight = 132

const itemTones: Record<Item['state'], Tone> = {
  pending: 'idle',
  running: 'info',
  waiting: 'warn',
  done: 'good',
  skipped: 'idle',
  failed: 'bad',
  cancelled: 'idle',
  undone: 'idle',
}

/** One operation: how far it is, what can be done with it, and what became of each domain. */
export function OperationPage({ id }: { id: string }) {
  const { t } = useTranslation('operations')
  const search = parseItemsSearch(route.useSearch())
  const navigate = route.useNavigate()
  const words = useOperationWords()
  const change = (part: ItemsSearch): void => void navigate({ replace: true, search: part })
  const listed = useItems(id, { state: search.state, search: search.q })
  const { operation, items } = listed
  const columns = useColumns(operation?.kind ?? '')
  const layout = useColumnLayout('operation-items', columns)
  const [undoing, setUndoing] = useState<OperationPreview | null>(null)
  const undo = useUndo(setUndoing)
  const undoable = operation !== undefined && isUndoable(operation)
  const failure = listed.error === null ? null : failureOf(listed.error)
  const absent = failure?.kind === 'answered' && (failure.data.code === 'not_found' || failure.data.code === 'validation_failed')

  const back = (
    <Link to="/operations" className={classes['back']}>
      <IconArrowLeft size={14} aria-hidden />
      {t('back')}
    </Link>
  )
  if (absent) {
    return (
      <>
        {back}
        <EmptyState picture="lost" heading="h1" title={t('page.not_found')} text={t('page.not_found_text')} />
      </>
    )
  }
  return (
    <>
      {back}
      <PageHeader
        title={operation === undefined ? t('one') : t('heading', { kind: words.kind(operation), domains: words.domains(operation.total) })}
        meta={
          operation === undefined ? undefined : (
            <>
              {t('page.started_by', { name: operation.actorName })} · <RelativeTime at={operation.createdAt} />
              {operation.undoOf === null ? null : (
                <>
                  {' · '}
                  <Link to="/operations/$id" params={{ id: operation.undoOf }} className={classes['link']}>
                    {t('page.undo_of')}
                  </Link>
                </>
              )}
            </>
          )
        }
        actions={
          operation === undefined ? undefined : (
            <Actions operation={operation} {...(undoable && { undo: { busy: undo.busy, ask: () => undo.ask(id) } })} />
          )
        }
      />
      {operation === undefined ? null : (
        <>
          <Progress operation={operation} />
          <Tiles label={t('tiles.label')}>
            <Tile
              label={t('tiles.all')}
              value={operation.total}
              pressed={search.state === undefined}
              onPress={() => change({ ...(search.q && { q: search.q }) })}
            />
            {tileStates
              .map((state) => ({ state, value: state === 'pending' ? queuedItems(operation) : operation[state] }))
              .filter(({ state, value }) => value > 0 || state === search.state || state === 'done' || state === 'failed')
              .map(({ state, value }) => (
                <Tile
                  key={state}
                  label={t(`tiles.${state}`)}
                  value={value}
                  tone={itemTones[state]}
                  pressed={search.state === state}
                  onPress={() => change({ ...(search.state !== state && { state }), ...(search.q && { q: search.q }) })}
                />
              ))}
          </Tiles>
        </>
      )}
      <div className={classes['tools']} data-below>
        <SearchInput
          label={t('page.search')}
          value={search.q ?? ''}
          busy={listed.changing}
          onChange={(q) => change({ ...(search.state && { state: search.state }), ...(q !== '' && { q }) })}
        />
      </div>
      {listed.error !== null && operation === undefined ? (
        <ErrorState error={listed.error} onRetry={listed.retry} />
      ) : (
        <DataTable
          label={t('tiles.label')}
          rowCount={items.length}
          getRow={(index) => items[index]}
          getRowId={({ position }) => String(position)}
          getRowLabel={({ domain }) => domain}
          onRangeVisible={listed.onRange}
          columns={columns}
          layout={layout}
          loading={listed.loading}
          refreshing={listed.changing}
          scrollKey={JSON.stringify(search)}
          renderCard={(item) => <Card item={item} kind={operation?.kind ?? ''} />}
          cardHeight={cardHeight}
          {...(undoable && {
            rowActions: (item: Item) =>
              item.state !== 'done' ? null : (
                <ActionIcon
                  size={24}
                  disabled={undo.busy}
                  aria-label={t('page.undo_one')}
                  title={t('page.undo_one')}
                  onClick={() => undo.ask(id, [item.position])}
                >
                  <IconArrowBackUp size={14} stroke={1.7} />
                </ActionIcon>
              ),
          })}
          empty={<EmptyState picture="search" title={t('page.empty')} />}
        />
      )}
      {undoing === null ? null : (
        <PreviewDialog
          title={t('preview.undo_title', { domains: words.domains(undoing.operation.total + undoing.unchanged) })}
          preview={undoing}
          onStarted={() => {
            setUndoing(null)
            void navigate({ to: '/operations/$id', params: { id: undoing.operation.id }, search: {} })
          }}
          onClose={() => setUndoing(null)}
        />
      )}
    </>
  )
}

function Progress({ operation }: { operation: Operation }) {
  const { t } = useTranslation('operations')
  const words = useOperationWords()
  const now = useNow(1_000)
  const waiting = useWaiting(operation)
  const left = secondsLeft(operation, now)
  const state = shownState(operation, now)
  const { startedAt, finishedAt, scheduledAt } = operation
  const notes = [
    t('list.of', { done: formatNumber(finishedItems(operation)), total: formatNumber(operation.total) }),
    left === null ? null : t('page.left', { time: words.time(left) }),
    state === 'scheduled' && scheduledAt !== null ? t('page.starts', { when: formatDateTime(scheduledAt) }) : null,
    !isActive(operation) && startedAt !== null && finishedAt !== null
      ? t('page.took', { time: words.time((Date.parse(finishedAt) - Date.parse(startedAt)) / 1_000) })
      : null,
    waiting,
  ].filter((note) => note !== null)
  return (
    <div className={classes['summary']}>
      <StateBadge tone={stateTones[state]} label={words.state(operation)} pulse={operation.state === 'running'} />
      <OperationProgressBar operation={operation} />
      <span className={classes['figures']} role="status">
        {notes.join(' · ')}
      </span>
    </div>
  )
}

/** What can be done with it now; `undo` where there is a way back. */
function Actions({ operation, undo }: { operation: Operation; undo?: { busy: boolean; ask: () => void } }) {
  const { t } = useTranslation(['operations', 'common'])
  const words = useOperationWords()
  const [asking, setAsking] = useState(false)
  const [exporting, setExporting] = useState(false)
  const { copy } = useCopy(t('page.copy_failed'))
  const told = { meta: { failure: t('page.failed') }, onSettled: () => void refreshOperations() }
  const pause = trpc.operations.pause.useMutation(told)
  const resume = trpc.operations.resume.useMutation(told)
  const cancel = trpc.operations.cancel.useMutation(told)
  const retry = trpc.operations.retryFailed.useMutation(told)
  const { id, state, failed } = operation
  const busy = pause.isPending || resume.isPending || cancel.isPending || retry.isPending

  const failures = async (handle: (items: Item[]) => Promise<void> | void): Promise<void> => {
    setExporting(true)
    try {
      await handle(await collectItems(id, 'failed'))
    } catch (error) {
      toast.failure(error, t('page.export_failed'))
    } finally {
      setExporting(false)
    }
  }
  const icon = { size: 15, stroke: 1.8, 'aria-hidden': true }
  return (
    <>
      {state === 'queued' || state === 'running' || state === 'waiting' ? (
        <Button variant="default" disabled={busy} leftSection={<IconPlayerPause {...icon} />} onClick={() => pause.mutate({ id })}>
          {t('page.pause')}
        </Button>
      ) : null}
      {state === 'paused' ? (
        <Button disabled={busy} leftSection={<IconPlayerPlay {...icon} />} onClick={() => resume.mutate({ id })}>
          {t('page.resume')}
        </Button>
      ) : null}
      {isActive(operation) ? (
        <Button variant="default" disabled={busy} leftSection={<IconPlayerStop {...icon} />} onClick={() => setAsking(true)}>
          {t('page.cancel')}
        </Button>
      ) : null}
      {failed === 0 ? null : (
        <>
          <Menu position="bottom-end">
            <Menu.Target>
              <Button variant="default" loading={exporting} leftSection={<IconDownload {...icon} />}>
                {t('page.failures')}
              </Button>
            </Menu.Target>
            <Menu.Dropdown>
              <Menu.Item
                onClick={() =>
                  void failures(async (items) => {
                    if (await copy(items.map(({ domain }) => domain).join('\n'))) toast.success(t('page.copied'))
                  })
                }
              >
                {t('page.copy_failures')}
              </Menu.Item>
              <Menu.Item onClick={() => void failures((items) => saveFile('failures.csv', 'text/csv', failuresCsv(items, words.code)))}>
                {t('page.csv_failures')}
              </Menu.Item>
            </Menu.Dropdown>
          </Menu>
          <Button disabled={busy} leftSection={<IconRefresh {...icon} />} onClick={() => retry.mutate({ id })}>
            {t('page.retry', { count: failed, formatted: formatNumber(failed) })}
          </Button>
        </>
      )}
      {undo === undefined ? null : (
        <Button variant="default" loading={undo.busy} leftSection={<IconArrowBackUp {...icon} />} onClick={undo.ask}>
          {t('page.undo')}
        </Button>
      )}
      {asking ? (
        <ConfirmDialog
          title={t('page.cancel_title')}
          action={t('page.cancel')}
          things={0}
          consequence={t('page.cancel_text', { formatted: formatNumber(operation.total - finishedItems(operation)) })}
          onConfirm={async () => {
            await cancel.mutateAsync({ id })
          }}
          onClose={() => setAsking(false)}
        />
      ) : null}
    </>
  )
}

function useColumns(kind: string): readonly DataColumn<Item>[] {
  const { t } = useTranslation('operations')
  return [
    { id: 'domain', title: t('page.domain'), width: 210, minWidth: 140, hideable: false, cell: (item) => <Domain item={item} /> },
    { id: 'account', title: t('page.account'), width: 170, cell: ({ account }) => <bdi className={classes['clip']}>{account}</bdi> },
    {
      id: 'state',
      title: t('page.state'),
      width: 130,
      cell: ({ state }) => <StateBadge quiet tone={itemTones[state]} label={t(`items.${state}`)} pulse={state === 'running'} />,
    },
    { id: 'change', title: t('page.change'), width: 300, cell: (item) => <Changes item={item} kind={kind} /> },
    { id: 'result', title: t('page.result'), width: 240, minWidth: 160, grow: true, cell: (item) => <Result item={item} /> },
    {
      id: 'time',
      title: t('page.time'),
      width: 80,
      align: 'end',
      cell: ({ finishedAt }) => (finishedAt === null ? '—' : <time dateTime={finishedAt}>{formatTime(finishedAt)}</time>),
    },
  ]
}

function Domain({ item }: { item: Item }) {
  return item.zoneId === null ? (
    <bdi className={`${classes['clip']} mono`}>{item.domain}</bdi>
  ) : (
    <Link to="/domains/$id" params={{ id: item.zoneId }} className={`${classes['domain']} mono`}>
      {item.domain}
    </Link>
  )
}

/** The first change in full, how many more there are beside it, and all of them on hover. */
function Changes({ item, kind }: { item: Item; kind: string }) {
  const { t } = useTranslation('operations')
  const wordsOf = useChangeWords(kind)
  const changes = changesOf(item.plan).map((change) => wordsOf(change, item.domain))
  const [first] = changes
  if (first === undefined || (first.label === '' && first.to === null)) return null
  const all = changes.map(({ label, from, to }) => `${label}: ${[from ?? '—', to ?? '—'].join(' → ')}`).join('\n')
  return (
    <span className={classes['changeCell']} title={first.to === null && first.from === null ? undefined : all}>
      <ChangeLine words={first} />
      {changes.length > 1 ? (
        <span className={classes['quiet']}>{t('change.more', { formatted: formatNumber(changes.length - 1) })}</span>
      ) : null}
    </span>
  )
}

function Result({ item }: { item: Item }) {
  const { ours, theirs, again } = useOperationWords().result(item)
  const parts = [ours, theirs, again].filter((part) => part !== null)
  return parts.length === 0 ? null : (
    <span className={classes['clip']} title={parts.join('\n')} data-failed={item.state === 'failed' || undefined}>
      {parts.join(' · ')}
    </span>
  )
}

function Card({ item, kind }: { item: Item; kind: string }) {
  const { t } = useTranslation('operations')
  return (
    <div className={classes['card']}>
      <div className={classes['cardHead']}>
        <Domain item={item} />
        <StateBadge quiet tone={itemTones[item.state]} label={t(`items.${item.state}`)} />
      </div>
      <bdi className={classes['quiet']}>{item.account}</bdi>
      <Changes item={item} kind={kind} />
      <Result item={item} />
    </div>
  )
}
