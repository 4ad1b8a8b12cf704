import { Button, SegmentedControl } from '@mantine/core'
import { IconArrowLeft } from '@tabler/icons-react'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Operation, OperationPreview } from '#shared/features/operations/schema.ts'
import { failureOf } from '#client/lib/errors.ts'
import { formatZonedDateTime, formatNumber, useNow } from '#client/lib/format.ts'
import { EmptyState } from '#client/ui/feedback/empty-state.tsx'
import { ErrorState } from '#client/ui/feedback/error-state.tsx'
import { PageHeader } from '#client/ui/layout/page-header.tsx'
import { RelativeTime } from '#client/ui/display/relative-time.tsx'
import { Skeleton } from '#client/ui/feedback/skeleton.tsx'
import { StateBadge } from '#client/ui/display/state-badge.tsx'
import { Tile, Tiles } from '#client/ui/chart/tile.tsx'
import { CreationFailures } from './creation-failures.tsx'
import { CreationLog } from './creation-log.tsx'
import { itemTexts } from './item-texts.ts'
import { ItemsTable } from './items-table.tsx'
import { NameServers } from './name-servers.tsx'
import { kindView } from './kinds.ts'
import { OperationActions, TrialNotice } from './operation-actions.tsx'
import { OperationProgressBar } from './operation-progress-bar.tsx'
import { isActive, isTrialOver, itemTones, queuedItems, shownState, stateTones, tookSeconds } from './operation-progress.ts'
import { PreviewDialog } from './preview-dialog.tsx'
import { parseItemsSearch, tileStates, type ItemsSearch, type ItemsView } from './search.ts'
import { Receipt } from './receipt.tsx'
import { useFirstItems, useOperation } from './queries.ts'
import { useOperationWords, useWaiting } from './use-operation-words.ts'
import { useSecondsLeft } from './use-seconds-left.ts'
import { isUndoable } from './is-undoable.ts'
import { useControls, useUndo } from './mutations.ts'
import backs from '#client/ui/layout/back-link.module.css'
import classes from './operations.module.css'

const route = getRouteApi('/_app/operations/$id')

/** One operation: progress, actions, and the result of each domain. */
export function OperationPage({ id }: { id: string }) {
  const { t } = useTranslation(['operations', 'common'])
  const search = parseItemsSearch(route.useSearch())
  const navigate = route.useNavigate()
  const words = useOperationWords()
  const change = (part: ItemsSearch): void => void navigate({ replace: true, search: part })
  const { operation, error, retry } = useOperation(id)
  useFirstItems(id, operation === undefined && search.state === undefined && search.q === undefined)
  const [undoing, setUndoing] = useState<OperationPreview | null>(null)
  const undo = useUndo(setUndoing)
  // Undoing a canary also cancels the rest, which would otherwise continue.
  const { cancel: stop } = useControls()
  const undoable = operation !== undefined && isUndoable(operation)
  const failure = error === null ? null : failureOf(error)
  const absent = failure?.kind === 'answered' && (failure.data.code === 'not_found' || failure.data.code === 'validation_failed')
  const undoAction = undoable ? { undo: { busy: undo.busy, ask: () => undo.ask(id) } } : {}

  if (absent) {
    return (
      <>
        <Back />
        <NotFound />
      </>
    )
  }
  const views: readonly ItemsView[] = operation === undefined ? [] : (kindView(operation.kind).views ?? ['items'])
  const filtered = search.state !== undefined || search.q !== undefined
  const view = views.find((each) => each === search.view) ?? (filtered ? 'items' : (views[0] ?? 'items'))
  return (
    <>
      <Back />
      <PageHeader
        title={
          operation === undefined
            ? t('one')
            : t('heading', { kind: words.kind(operation), domains: words.items(operation, operation.total) })
        }
        meta={operation === undefined ? undefined : <About operation={operation} />}
        actions={operation === undefined ? undefined : <OperationActions operation={operation} {...undoAction} />}
      />
      {operation === undefined ? null : (
        <>
          <Progress operation={operation} />
          {isTrialOver(operation) ? <TrialNotice operation={operation} {...undoAction} /> : null}
          {views.includes('log') && operation.failed > 0 && view !== 'items' ? <CreationFailures operation={operation} /> : null}
          {views.length > 1 ? <ViewSwitch views={views} view={view} onChange={change} /> : null}
        </>
      )}
      {operation === undefined && error === null ? (
        // Rendered together with the table, so that nothing above moves it.
        <div className={`column ${classes['wait']}`} role="status" aria-busy>
          <span className="sr-only">{t('common:loader.loading')}</span>
          <Skeleton width="40%" height={20} />
          <Skeleton width="100%" height={96} />
        </div>
      ) : view === 'log' ? (
        <CreationLog id={id} going={operation !== undefined && isActive(operation)} />
      ) : view === 'servers' ? (
        <NameServers id={id} going={operation !== undefined && isActive(operation)} />
      ) : view === 'receipt' ? (
        <Receipt id={id} going={operation !== undefined && isActive(operation)} />
      ) : (
        <>
          {operation === undefined ? null : <StateTiles operation={operation} search={search} onChange={change} />}
          {error !== null && operation === undefined ? (
            <ErrorState error={error} onRetry={retry} />
          ) : (
            <ItemsTable
              id={id}
              operation={operation}
              search={search}
              onChange={change}
              {...(undoable && { undo: { busy: undo.busy, ask: (positions: number[]) => undo.ask(id, positions) } })}
            />
          )}
        </>
      )}
      {undoing === null ? null : (
        <PreviewDialog
          title={t('preview.undo_title', { domains: words.items(undoing.operation, undoing.operation.total + undoing.unchanged) })}
          preview={undoing}
          onStarted={() => {
            setUndoing(null)
            if (operation !== undefined && isTrialOver(operation)) stop.mutate({ id })
            void navigate({ to: '/operations/$id', params: { id: undoing.operation.id }, search: {} })
          }}
          onClose={() => setUndoing(null)}
        />
      )}
    </>
  )
}

function Back() {
  const { t } = useTranslation('operations')
  return (
    <Link to="/operations" className={`inline self-start size-13 muted radius-s hover-primary ${backs['back']}`}>
      <IconArrowLeft size={14} aria-hidden />
      {t('back')}
    </Link>
  )
}

function NotFound() {
  const { t } = useTranslation('operations')
  return (
    <EmptyState
      picture="lost"
      heading="h1"
      title={t('page.not_found')}
      text={t('page.not_found_text')}
      action={
        <Button variant="default" renderRoot={(props) => <Link to="/operations" {...props} />}>
          {t('title')}
        </Button>
      }
    />
  )
}

function ViewSwitch({ views, view, onChange }: { views: readonly ItemsView[]; view: ItemsView; onChange: (search: ItemsSearch) => void }) {
  const { t } = useTranslation('operations')
  return (
    <SegmentedControl
      className="self-start"
      mb={14}
      aria-label={t('views.label')}
      value={view}
      onChange={(next) => {
        const selected = views.find((each) => each === next)
        onChange(selected === undefined || selected === views[0] ? {} : { view: selected })
      }}
      data={views.map((each) => ({ value: each, label: t(`views.${each}`) }))}
    />
  )
}

/** Who started it and when, and what it undoes. */
function About({ operation: { actorName, createdAt, undoOf, priority } }: { operation: Operation }) {
  const { t } = useTranslation('operations')
  return (
    <>
      {t('page.started_by', { name: actorName })} · <RelativeTime at={createdAt} />
      {priority === 'normal' ? null : ` · ${t(`start.shown.${priority}`)}`}
      {undoOf === null ? null : (
        <>
          {' · '}
          <Link to="/operations/$id" params={{ id: undoOf }} className={classes['link']}>
            {t('page.undo_of')}
          </Link>
        </>
      )}
    </>
  )
}

/** The number of items per state; each filters the table below. */
function StateTiles({
  operation,
  search,
  onChange,
}: {
  operation: Operation
  search: ItemsSearch
  onChange: (search: ItemsSearch) => void
}) {
  const { t } = useTranslation('operations')
  const found = search.q === undefined ? {} : { q: search.q }
  const counts = { ...operation, pending: queuedItems(operation), done: operation.done - operation.undone - operation.attention }
  return (
    <Tiles label={t(itemTexts(operation).byState)}>
      <Tile label={t('tiles.all')} value={operation.total} pressed={search.state === undefined} onPress={() => onChange(found)} />
      {tileStates
        .map((state) => ({ state, value: counts[state] }))
        .filter(({ state, value }) => value > 0 || state === search.state || state === 'done' || state === 'failed')
        .map(({ state, value }) => (
          <Tile
            key={state}
            label={t(`tiles.${state}`)}
            value={value}
            tone={itemTones[state]}
            pressed={search.state === state}
            onPress={() => onChange({ ...(search.state !== state && { state }), ...found })}
          />
        ))}
    </Tiles>
  )
}

function Progress({ operation }: { operation: Operation }) {
  const { t } = useTranslation('operations')
  const words = useOperationWords()
  const now = useNow(1_000)
  const waiting = useWaiting(operation)
  const left = useSecondsLeft(operation, now)
  const state = shownState(operation, now)
  const { scheduledAt } = operation
  const took = tookSeconds(operation)
  const notes = [
    t('list.of', { done: formatNumber(operation.done), total: formatNumber(operation.total) }),
    left === null ? null : t('page.left', { time: words.time(left) }),
    state === 'scheduled' && scheduledAt !== null ? t('page.starts', { when: formatZonedDateTime(scheduledAt) }) : null,
    !isActive(operation) && took !== null ? t('page.took', { time: words.took(took) }) : null,
    waiting,
  ].filter((note) => note !== null)
  return (
    <div className={`row wrap ${classes['summary']}`}>
      <StateBadge tone={stateTones[state]} label={words.state(operation)} pulse={operation.state === 'running'} />
      <OperationProgressBar operation={operation} />
      <span className="size-12 secondary numeric" role="status">
        {notes.join(' · ')}
      </span>
    </div>
  )
}
