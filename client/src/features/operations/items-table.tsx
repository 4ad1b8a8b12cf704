import { ActionIcon, Button } from '@mantine/core'
import { IconArrowBackUp, IconCopy } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Operation } from '#shared/features/operations/schema.ts'
import { counted, formatNumber, formatTime } from '#client/lib/format.ts'
import { toast } from '#client/lib/toast.ts'
import { BulkBar, bulkBarSpace } from '#client/ui/table/bulk-bar.tsx'
import { useCopy } from '#client/ui/display/copy-button.tsx'
import { DataTable } from '#client/ui/table/data-table.tsx'
import type { DataColumn } from '#client/ui/table/data-table.types.ts'
import { NoMatch } from '#client/ui/feedback/empty-state.tsx'
import { SearchInput } from '#client/ui/filter/search-input.tsx'
import { StateBadge } from '#client/ui/display/state-badge.tsx'
import { useColumnLayout } from '#client/ui/table/use-column-layout.ts'
import { useSelection } from '#client/ui/table/use-selection.ts'
import { lateDialog } from '#client/ui/overlay/layer.tsx'
import { ChangeLine } from './change-line.tsx'
import { changesOf, placeOf } from './item-changes.ts'
import { itemTexts } from './item-texts.ts'
import { kindView } from './kinds.ts'
import { itemTones, shownItemState } from './operation-progress.ts'
import { PurchaseSteps } from './purchase-steps.tsx'
import type { ItemsSearch } from './search.ts'
import { useChangeWords } from './use-change-words.ts'
import { collectNames, useItemRows, type Item } from './queries.ts'
import { useOperationWords } from './use-operation-words.ts'
import classes from './operations.module.css'

const ItemDialog = lateDialog(async () => (await import('./item-dialog.tsx')).ItemDialog)

/** Two lines, one more for a change, and one or two for the result. */
const cardHeights = { head: 72, change: 24, resultLine: 19, resultGap: 6, lineLength: 44, steps: 140 }

const entryOf = ({ position, displayName }: Pick<Item, 'position' | 'displayName'>) => [position, displayName] as const

interface Undo {
  busy: boolean
  ask: (positions: number[]) => void
}

/** The result of each domain; each opens in full, and several can be undone together. */
export function ItemsTable({
  id,
  operation,
  search,
  onChange,
  undo,
}: {
  id: string
  operation: Operation | undefined
  search: ItemsSearch
  onChange: (search: ItemsSearch) => void
  /** Absent if nothing can be undone. */
  undo?: Undo
}) {
  const { t } = useTranslation('operations')
  const kind = operation?.kind ?? ''
  const texts = itemTexts(operation)
  const rows = useItemRows(id, { state: search.state, search: search.q }, operation?.total)
  const columns = useColumns(kind, texts.name)
  const layout = useColumnLayout('operation-items', columns)
  const [opened, setOpened] = useState<Item | null>(null)
  const filter = { state: search.state, search: search.q }
  const selecting = useSelection({
    rows: { length: rows.count, at: rows.rowAt },
    entryOf,
    rest: {
      // More rows may follow after the loaded ones.
      total: rows.count,
      readAll: async () => (await collectNames(id, filter)).map(entryOf),
      failure: t('selection.failed'),
    },
  })
  const cardHeight = useCardHeight(kind)
  const { selected } = selecting
  const open = opened === null ? null : (rows.find(opened.position) ?? opened)

  return (
    <>
      <div className={`flex wrap gap-8 mb-12 ${classes['tools']}`} data-below>
        <SearchInput
          label={t(texts.search)}
          value={search.q ?? ''}
          busy={rows.changing}
          onChange={(q) => onChange({ ...(search.state && { state: search.state }), ...(q !== '' && { q }) })}
        />
      </div>
      <DataTable
        label={t(texts.list)}
        rowCount={rows.count}
        getRow={rows.rowAt}
        getRowId={({ position }) => String(position)}
        getRowLabel={({ displayName }) => displayName}
        onRangeVisible={rows.onRange}
        columns={columns}
        layout={layout}
        loading={rows.loading}
        refreshing={rows.changing}
        scrollKey={JSON.stringify(search)}
        onOpen={setOpened}
        renderCard={(item) => <Card item={item} kind={kind} onOpen={() => setOpened(item)} />}
        cardHeight={cardHeight}
        {...(undo && {
          selection: selecting.table,
          rowActions: (item: Item) =>
            item.state !== 'done' ? null : (
              <ActionIcon
                size={24}
                disabled={undo.busy}
                aria-label={t(texts.undo)}
                title={t(texts.undo)}
                onClick={() => undo.ask([item.position])}
              >
                <IconArrowBackUp size={14} stroke={1.7} />
              </ActionIcon>
            ),
        })}
        {...(selected.size > 0 && { bottomSpace: bulkBarSpace })}
        empty={<NoMatch title={t(texts.noMatch)} onReset={() => onChange({})} />}
      />
      {undo === undefined ? null : <SelectionBar selected={selected} texts={texts} undo={undo} onClear={selecting.clear} />}
      {open === null ? null : (
        <ItemDialog
          item={open}
          kind={kind}
          undoLabel={t(texts.undo)}
          {...(undo && {
            onUndo: () => {
              setOpened(null)
              undo.ask([open.position])
            },
          })}
          onClose={() => setOpened(null)}
        />
      )}
    </>
  )
}

function useCardHeight(kind: string): (item: Item | undefined) => number {
  const wordsOf = useChangeWords(kind)
  const resultOf = useOperationWords().result
  return (item) => {
    const { head, change, resultLine, resultGap, lineLength, steps } = cardHeights
    if (kindView(kind).steps === 'only') return steps
    if (item === undefined) return head + change
    const [first] = changesOf(item.plan).map((each) => wordsOf(each, item))
    const result = partsOf(resultOf(item)).join(' · ')
    return head + (isEmptyChange(first) ? 0 : change) + (result === '' ? 0 : resultGap + resultLine * (result.length > lineLength ? 2 : 1))
  }
}

function SelectionBar({
  selected,
  texts,
  undo,
  onClear,
}: {
  selected: ReadonlyMap<number, string>
  texts: ReturnType<typeof itemTexts>
  undo: Undo
  onClear: () => void
}) {
  const { t } = useTranslation('operations')
  const { copy } = useCopy()
  return (
    <BulkBar count={selected.size} label={t(texts.selected, counted(selected.size))} onClear={onClear}>
      <Button
        variant="subtle"
        color="gray"
        size="xs"
        loading={undo.busy}
        leftSection={<IconArrowBackUp size={15} stroke={1.8} aria-hidden />}
        onClick={() => undo.ask([...selected.keys()])}
      >
        {t('selection.undo')}
      </Button>
      <Button
        variant="subtle"
        color="gray"
        size="xs"
        leftSection={<IconCopy size={15} stroke={1.8} aria-hidden />}
        onClick={() =>
          void copy([...selected.values()].join('\n')).then((copied) => {
            if (copied) toast.success(t(texts.copied))
          })
        }
      >
        {t(texts.copy)}
      </Button>
    </BulkBar>
  )
}

function useColumns(kind: string, name: ReturnType<typeof itemTexts>['name']): readonly DataColumn<Item>[] {
  const { t } = useTranslation('operations')
  return [
    { id: 'domain', title: t(name), width: 200, minWidth: 140, hideable: false, cell: (item) => <Domain item={item} /> },
    {
      id: 'account',
      title: t(`page.${placeOf(kind)}`),
      width: 140,
      hiddenAtFirst: 'narrow',
      cell: ({ account }) => <bdi className={`cut ${classes['clip']}`}>{account ?? '—'}</bdi>,
    },
    {
      id: 'state',
      title: t('page.state'),
      width: 110,
      cell: (item) => {
        const state = shownItemState(item)
        return <StateBadge quiet tone={itemTones[state]} label={t(`items.${state}`)} pulse={state === 'running'} />
      },
    },
    kindView(kind).steps === 'only'
      ? { id: 'steps', title: t('purchase.steps'), width: 376, cell: (item) => <PurchaseSteps steps={item.steps} /> }
      : { id: 'change', title: t('page.change'), width: 260, cell: (item) => <Changes item={item} kind={kind} /> },
    { id: 'result', title: t('page.result'), width: 160, minWidth: 140, grow: true, cell: (item) => <Result item={item} /> },
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
  return item.zoneId === null || !item.present ? (
    <bdi className={`cut ${classes['clip']} mono`}>{item.displayName}</bdi>
  ) : (
    <Link to="/domains/$id" params={{ id: item.zoneId }} className={`cut primary ${classes['domain']} mono`}>
      {item.displayName}
    </Link>
  )
}

const isEmptyChange = (words: { label: string; to: string | null } | undefined): boolean =>
  words === undefined || (words.label === '' && words.to === null)

const partsOf = ({ ours, theirs, again }: ReturnType<ReturnType<typeof useOperationWords>['result']>): string[] =>
  [ours, theirs, again].filter((part) => part !== null)

/** The first change in full with the number of others, and all of them on hover. */
function Changes({ item, kind }: { item: Item; kind: string }) {
  const { t } = useTranslation(['operations', 'common'])
  const wordsOf = useChangeWords(kind)
  const changes = changesOf(item.plan).map((change) => wordsOf(change, item))
  // The count of a batch of redirects includes all others, of which only the first ones are known.
  const others = item.plan.redirects === undefined ? changes.length - 1 : 0
  const [first] = changes
  if (first === undefined || isEmptyChange(first)) return null
  const all = changes
    .map(({ label, from, to }) => (from === null && to === null ? label : `${label}: ${[from ?? '—', to ?? '—'].join(' → ')}`))
    .join('\n')
  return (
    <span
      className={`row gap-8 shrink clip nowrap ${classes['changeCell']}`}
      title={changes.length === 1 && first.to === null && first.from === null ? undefined : all}
    >
      <ChangeLine words={first} />
      {others > 0 ? (
        <span className={`size-12 muted ${classes['quiet']}`}>{t('common:and_more', { formatted: formatNumber(others) })}</span>
      ) : null}
    </span>
  )
}

function Result({ item }: { item: Item }) {
  const parts = partsOf(useOperationWords().result(item))
  return parts.length === 0 ? null : (
    <span className={`cut ${classes['clip']}`} title={parts.join('\n')} data-failed={item.state === 'failed' || undefined}>
      {parts.join(' · ')}
    </span>
  )
}

function Card({ item, kind, onOpen }: { item: Item; kind: string; onOpen: () => void }) {
  const { t } = useTranslation('operations')
  return (
    <div className={`column gap-6 size-13 primary radius-8 focus-inside cover p-12 ${classes['card']}`}>
      <div className="flex gap-8 between shrink">
        <Domain item={item} />
        <StateBadge quiet tone={itemTones[shownItemState(item)]} label={t(`items.${shownItemState(item)}`)} />
      </div>
      <div className="flex gap-8 between shrink">
        <bdi className={`cut ${classes['clip']} size-12 muted ${classes['quiet']}`}>{item.account}</bdi>
        <button type="button" className={`bare self-start size-12 secondary pointer ${classes['more']}`} onClick={onOpen}>
          {t('page.details')}
        </button>
      </div>
      {kindView(kind).steps === 'only' ? <PurchaseSteps steps={item.steps} /> : <Changes item={item} kind={kind} />}
      <Result item={item} />
    </div>
  )
}
