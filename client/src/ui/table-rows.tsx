import { defaultRangeExtractor, type Range, useVirtualizer } from '@tanstack/react-virtual'
import {
  type CSSProperties,
  memo,
  type MouseEvent,
  type ReactNode,
  startTransition,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import { useTranslation } from 'react-i18next'
import { gapText } from '#client/lib/text.ts'
import type { DataColumn, DataTableProps, Sort, SpecialRow } from './data-table.types.ts'
import { Skeleton } from './skeleton.tsx'
import { columnStyle, TableHead } from './table-head.tsx'
import { titleWhenCut } from './title-when-cut.ts'
import { useColumnWidths } from './use-column-widths.ts'
import { type SelectionGestures, useSelectionGestures } from './use-selection-gestures.ts'
import { useTableCursor } from './use-table-cursor.ts'
import classes from './data-table.module.css'

const skeletonRows = 24
const overscan = 3
const headHeight = 36

/** The table on a screen wide enough for one: its own scroll area, a head that stays. */
export function TableRows<Row>(props: DataTableProps<Row>) {
  const { columns, layout, selection, loading = false, getRow, bottomSpace = 0 } = props
  const { t } = useTranslation()
  const rowHeight = layout.comfortable ? 44 : 36
  const scroller = useRef<HTMLDivElement>(null)
  const shown = useMemo(() => columns.filter((column) => !layout.hidden.has(column.id)), [columns, layout.hidden])
  const count = loading && props.rowCount === 0 ? skeletonRows : props.rowCount

  const tall = useSpecialRows(props, count, rowHeight)
  // A list that ends above what lies over the page's end needs no room there, and keeps its size.
  const [covered, setCovered] = useState(false)
  const space = covered ? bottomSpace : 0
  const virtual = useVirtualizer({
    count,
    getScrollElement: () => scroller.current,
    // About its size, so that the first rows come with the page and not after it was laid out without them.
    initialRect: { width: 0, height: Math.max(0, window.innerHeight - 260) },
    estimateSize: tall.heightOf,
    rangeExtractor: tall.rangeExtractor,
    overscan,
    paddingEnd: space,
    scrollPaddingStart: headHeight,
  })
  const endPx = virtual.getTotalSize() - space + headHeight
  const heightPx = virtual.scrollRect?.height
  useLayoutEffect(() => {
    const page = scroller.current?.parentElement
    if (bottomSpace === 0 || !scroller.current || !page) return
    setCovered(scroller.current.getBoundingClientRect().top + endPx + bottomSpace > page.getBoundingClientRect().bottom)
  }, [bottomSpace, endPx, heightPx])
  const items = virtual.getVirtualItems()
  const from = items[0]?.index ?? 0
  const to = items.at(-1)?.index ?? 0
  const { onRangeVisible } = props
  const { heightOf } = tall
  // Before the paint, so that nobody sees rows where they do not belong.
  useLayoutEffect(() => virtual.measure(), [heightOf, virtual])
  useEffect(() => {
    if (count > 0) onRangeVisible?.(from, to)
  }, [from, to, count, onRangeVisible])

  const picking = useSelectionGestures(props)
  const cursor = useTableCursor({
    count,
    // As the virtual rows know it: asking the page would have it laid out in the middle of a drawing.
    pageRows: Math.max(1, Math.floor((virtual.scrollRect?.height ?? 400) / rowHeight) - 2),
    scrollTo: (index) => virtual.scrollToIndex(index),
    onSelect: (index, range) => picking.toggle(index, range),
    onOpen: (index) => {
      const row = getRow(index)
      if (row !== undefined) props.onOpen?.(row, null)
    },
    ...(props.rowKeys && {
      keys: Object.fromEntries(
        Object.entries(props.rowKeys).map(([key, act]) => [
          key,
          (index: number) => {
            const row = getRow(index)
            if (row !== undefined) act(row)
          },
        ]),
      ),
    }),
  })

  const { scrollKey } = props
  const { setIndex } = cursor
  const atRow = cursor.index !== null
  const shownKey = useRef(scrollKey)
  useLayoutEffect(() => {
    if (shownKey.current === scrollKey) return
    shownKey.current = scrollKey
    // Scrolling has everything laid out at once, which a list at its beginning need not be.
    if ((virtual.scrollOffset ?? 0) > 0) scroller.current?.scrollTo({ top: 0 })
    if (atRow) setIndex(null)
  }, [scrollKey, atRow, setIndex, virtual])

  const handlers = useHandlers(props, picking, cursor.setIndex)
  const boxLabel = useMemo(() => gapText((row) => t('table.select_row', { row })), [t])

  const pinned = useMemo(() => pinnedOf(shown), [shown])
  const start = selection === undefined ? 0 : pickWidth
  const rows = loading ? [] : items.map(({ index }) => getRow(index))
  const widths = useColumnWidths(scroller, {
    columns: shown,
    layout,
    pinned,
    start,
    rows,
    from,
    listKey: scrollKey ?? '',
    stale: props.refreshing === true,
  })

  return (
    <div
      ref={scroller}
      className={`relative scroll size-13 line-18 border radius-8 focus-inside ${classes['scroller']}`}
      style={{ ...stylesOf(shown, widths, start), '--row-height': `${rowHeight}px` } as CSSProperties}
      role="grid"
      aria-label={props.label}
      aria-rowcount={loading ? -1 : props.rowCount + 1}
      aria-colcount={shown.length}
      aria-multiselectable={selection ? true : undefined}
      aria-busy={loading || props.refreshing || undefined}
      data-refreshing={props.refreshing || undefined}
      aria-activedescendant={cursor.index === null ? undefined : `row-${cursor.index}`}
      tabIndex={0}
      onKeyDown={cursor.onKeyDown}
      onPointerOver={titleWhenCut}
      // By hand: the rows need not be drawn again.
      onScroll={({ currentTarget }) => currentTarget.toggleAttribute('data-scrolled', currentTarget.scrollLeft > 0)}
    >
      <TableHead
        shown={shown}
        pinned={pinned}
        layout={layout}
        sort={props.sort}
        sortable={props.onSort !== undefined}
        onSort={handlers.onSort}
        all={selection?.all}
        onToggleAll={handlers.onToggleAll}
      />
      <div role="rowgroup" className={classes['body']} style={{ height: virtual.getTotalSize() }}>
        {items.map(({ index, start, size }) => {
          const row = loading ? undefined : getRow(index)
          const id = row === undefined ? undefined : props.getRowId(row)
          const special = id === undefined ? undefined : props.special?.get(id)
          return (
            <BodyRow
              // A row that takes the place of its skeleton is another one: its cells have other widths and have not moved.
              key={row === undefined ? `loading-${index}` : special === undefined ? index : id}
              index={index}
              start={start}
              size={special === undefined ? undefined : size}
              last={index === count - 1 && space === 0}
              row={row}
              id={id}
              special={special}
              onHeight={tall.onHeight}
              columns={shown}
              pinned={pinned}
              current={cursor.index === index}
              selected={row !== undefined && selection?.isSelected(row) === true}
              selectable={selection !== undefined}
              label={row === undefined ? '' : props.getRowLabel(row)}
              boxLabel={boxLabel}
              handlers={handlers}
            />
          )
        })}
      </div>
    </div>
  )
}

/** How many columns, from the first, stay in view when the table is scrolled sideways: those up to the name. */
function pinnedOf<Row>(columns: readonly DataColumn<Row>[]): number {
  const marked = columns.findLastIndex(({ pinned = false }) => pinned)
  return 1 + (marked >= 0 ? marked : columns.findIndex(({ hideable = true }) => !hideable))
}

const pickWidth = 40

/** The width of each column, and of all: rows are as wide, so what lies beyond the window is there to be scrolled to. */
function stylesOf<Row>(
  columns: readonly DataColumn<Row>[],
  widths: Readonly<Record<string, number>>,
  start: number,
): Record<string, string> {
  let before = start
  const all: Record<string, string> = {}
  for (const { id } of columns) {
    const width = widths[id] ?? 0
    all[`--w-${id}`] = `${width}px`
    all[`--at-${id}`] = `${before}px`
    before += width
  }
  return { ...all, '--table-width': `${before}px` }
}

interface SpecialRows {
  heightOf: (index: number) => number
  rangeExtractor: (range: Range) => number[]
  onHeight: (id: string, height: number) => void
}

const plain: ReadonlyMap<string, SpecialRow> = new Map()

function kindOf(name: string): [id: string, kind: SpecialRow['kind']] {
  const space = name.indexOf(' ')
  return [name.slice(space + 1), name.slice(0, space) === 'instead' ? 'instead' : 'below']
}

/** Heights of the rows that are not a plain line, as they were measured, and the editors that must stay in the page. */
function useSpecialRows<Row>(
  { special = plain, getRow, getRowId }: Pick<DataTableProps<Row>, 'special' | 'getRow' | 'getRowId'>,
  count: number,
  rowHeight: number,
): SpecialRows {
  const [heights, setHeights] = useState<ReadonlyMap<string, number>>(new Map())
  // Which of them there are, not what they hold: an editor is another element at every key.
  const names = [...special].map(([id, { kind }]) => `${kind} ${id}`).join('\n')
  const kinds = useMemo(() => new Map(names.split('\n').map(kindOf)), [names])
  // A list that has none of them need not be measured again when its rows change.
  const rowsNow = special.size > 0 ? getRow : null
  const searched = rowsNow === null ? 0 : count
  const places = useMemo(() => {
    const found = new Map<number, { id: string; kind: SpecialRow['kind'] }>()
    for (let index = 0; index < searched; index += 1) {
      const row = rowsNow?.(index)
      const id = row === undefined ? undefined : getRowId(row)
      const kind = id === undefined ? undefined : kinds.get(id)
      if (id !== undefined && kind !== undefined) found.set(index, { id, kind })
    }
    return found
  }, [kinds, rowsNow, searched, getRowId])
  return useMemo(
    () => ({
      heightOf: (index) => {
        const place = places.get(index)
        if (place === undefined) return rowHeight
        const own = heights.get(place.id)
        return place.kind === 'instead' ? (own ?? rowHeight) : rowHeight + (own ?? 0)
      },
      rangeExtractor: (range) => {
        const shown = defaultRangeExtractor(range)
        const kept = [...places].filter(([, { kind }]) => kind === 'instead').map(([index]) => index)
        return kept.every((index) => shown.includes(index)) ? shown : [...new Set([...shown, ...kept])].toSorted((a, b) => a - b)
      },
      onHeight: (id, height) => setHeights((before) => (before.get(id) === height ? before : new Map(before).set(id, height))),
    }),
    [places, heights, rowHeight],
  )
}

/** Tells how tall its content is, at first and whenever that changes. */
function Measured({ id, onHeight, className, children }: MeasuredProps) {
  const box = useRef<HTMLDivElement>(null)
  const tell = useRef(onHeight)
  useLayoutEffect(() => {
    tell.current = onHeight
  })
  useLayoutEffect(() => {
    const element = box.current
    if (element === null) return
    const measure = (): void => tell.current(id, Math.ceil(element.getBoundingClientRect().height))
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    return () => observer.disconnect()
  }, [id])
  return (
    <div ref={box} className={className}>
      {children}
    </div>
  )
}

interface MeasuredProps {
  id: string
  onHeight: (id: string, height: number) => void
  className: string | undefined
  children: ReactNode
}

interface Handlers<Row> {
  onPick: (index: number, shift: boolean) => void
  onDragStart: (index: number) => void
  onDragOver: (index: number) => void
  onClick: (event: MouseEvent, row: Row, index: number) => void
  onDoubleClick: (event: MouseEvent, row: Row) => void
  actions: ((row: Row) => ReactNode) | undefined
  onSort: (sort: Sort) => void
  onToggleAll: () => void
}

const openers = 'a, button, input, label, [role=menu], [role=menuitem], [data-no-open]'

/** Handlers that stay the same object for ever and do what the latest props say, so that rows need not be drawn again. */
function useHandlers<Row>(props: DataTableProps<Row>, picking: SelectionGestures, setCursor: (index: number) => void): Handlers<Row> {
  const latest = useRef({ props, picking, setCursor })
  useLayoutEffect(() => {
    latest.current = { props, picking, setCursor }
  })
  const hasActions = props.rowActions !== undefined
  return useMemo(
    () => ({
      onPick: (index, shift) => latest.current.picking.toggle(index, shift),
      onDragStart: (index) => latest.current.picking.dragStart(index),
      onDragOver: (index) => latest.current.picking.dragOver(index),
      actions: hasActions ? (row) => latest.current.props.rowActions?.(row) : undefined,
      onSort: (sort) => latest.current.props.onSort?.(sort),
      onToggleAll: () => {
        const { selection } = latest.current.props
        selection?.onToggleAll(selection.all === 'none')
      },
      onClick: (event, row, index) => {
        if (event.target instanceof Element && event.target.closest(openers)) return
        // Marking text in a row is no wish to open it.
        if (window.getSelection()?.type === 'Range') return
        latest.current.setCursor(index)
        const { getRowHref, onOpen, openOn } = latest.current.props
        const href = getRowHref?.(row)
        if (href !== undefined && (event.button === 1 || event.ctrlKey || event.metaKey)) {
          window.open(href, '_blank', 'noopener')
        } else if (event.button === 0 && openOn !== 'double-click') {
          onOpen?.(row, columnOf(event))
        }
      },
      onDoubleClick: (event, row) => {
        const { onOpen, openOn } = latest.current.props
        if (openOn !== 'double-click' || (event.target instanceof Element && event.target.closest(openers))) return
        // The word that the browser has marked is nobody's wish.
        window.getSelection()?.removeAllRanges()
        onOpen?.(row, columnOf(event))
      },
    }),
    [hasActions],
  )
}

const columnOf = (event: MouseEvent): string | null =>
  event.target instanceof Element ? (event.target.closest('[data-column]')?.getAttribute('data-column') ?? null) : null

interface BodyRowProps<Row> {
  index: number
  start: number
  /** Of a special row. */
  size: number | undefined
  /** The table's own edge is below it. */
  last: boolean
  row: Row | undefined
  id: string | undefined
  special: SpecialRow | undefined
  onHeight: (id: string, height: number) => void
  columns: readonly DataColumn<Row>[]
  pinned: number
  current: boolean
  selected: boolean
  selectable: boolean
  label: string
  boxLabel: (row: string) => string
  handlers: Handlers<Row>
}

function PlainRow<Row>(props: BodyRowProps<Row>) {
  const { index, row, columns, handlers, id, special } = props
  const click = (event: MouseEvent): void => {
    if (row !== undefined) handlers.onClick(event, row, index)
  }
  if (special?.kind === 'instead' && id !== undefined) {
    return (
      <div
        role="row"
        id={`row-${index}`}
        aria-rowindex={index + 2}
        data-id={id}
        data-special
        className={`flex full line-bottom ${classes['row']}`}
        style={{ transform: `translateY(${props.start}px)` }}
      >
        <div role="gridcell" aria-colspan={columns.length} className={classes['whole']}>
          <Measured id={id} onHeight={props.onHeight} className={classes['inView']}>
            {special.content}
          </Measured>
        </div>
      </div>
    )
  }
  return (
    <div
      role="row"
      id={`row-${index}`}
      aria-rowindex={index + 2}
      aria-selected={props.selectable ? props.selected : undefined}
      data-id={props.id}
      data-current={props.current || undefined}
      data-selected={props.selected || undefined}
      data-last={props.last || undefined}
      data-special={special === undefined ? undefined : ''}
      className={`flex full line-bottom ${classes['row']}`}
      style={{ transform: `translateY(${props.start}px)`, height: props.size }}
      onClick={click}
      onDoubleClick={(event) => {
        if (row !== undefined) handlers.onDoubleClick(event, row)
      }}
      onAuxClick={click}
    >
      {props.selectable ? (
        <div
          role="gridcell"
          className={`row center ${classes['pick']}`}
          data-no-open
          onPointerDown={(event) => {
            if (event.button === 0 && !event.shiftKey && event.pointerType === 'mouse') handlers.onDragStart(index)
          }}
          onPointerEnter={() => handlers.onDragOver(index)}
        >
          {row === undefined ? null : (
            // A plain one: a list draws some dozens of them at every key that is typed into its search.
            <input
              type="checkbox"
              className={`grid fixed pointer ${classes['box']}`}
              aria-label={props.boxLabel(props.label)}
              checked={props.selected}
              tabIndex={-1}
              readOnly
              onClick={(event) => handlers.onPick(index, event.shiftKey)}
            />
          )}
        </div>
      ) : null}
      {columns.map((column, at) => (
        <div
          key={column.id}
          role="gridcell"
          className={`row gap-8 shrink clip secondary nowrap ${classes['cell']}`}
          data-column={column.id}
          data-pinned={at < props.pinned || undefined}
          data-align={column.align}
          data-grow={column.grow || undefined}
          style={columnStyle(column.id)}
        >
          {row === undefined ? <Skeleton width={skeletonWidth(index, column.id)} /> : <CellContent content={column.cell(row, index)} />}
        </div>
      ))}
      {row !== undefined && id !== undefined && handlers.actions ? <RowActions row={row} id={id} actions={handlers.actions} /> : null}
      {special !== undefined && id !== undefined ? (
        <div role="gridcell" className={classes['below']} data-no-open>
          <Measured id={id} onHeight={props.onHeight} className={classes['inView']}>
            {special.content}
          </Measured>
        </div>
      ) : null}
    </div>
  )
}

/** A plain text is an element too: as a bare part of a flex box it would be cut without dots. */
function CellContent({ content }: { content: ReactNode }) {
  return typeof content === 'string' ? <span>{content}</span> : content
}

/** Nobody sees them before a hover, so they are drawn after everything that is seen; until then they are another row's, and dead. */
function PlainActions<Row>({ row, id, actions }: { row: Row; id: string; actions: (row: Row) => ReactNode }) {
  const [drawn, setDrawn] = useState<{ id: string; content: ReactNode } | null>(null)
  useEffect(() => startTransition(() => setDrawn({ id, content: actions(row) })), [row, id, actions])
  if (!drawn?.content) return null
  return (
    // A menu that was opened for one row is not another row's.
    <div key={drawn.id} className={classes['actions']} role="gridcell" data-no-open inert={drawn.id !== id}>
      <div className={`row gap-2 fill ${classes['actionsInner']}`}>{drawn.content}</div>
    </div>
  )
}
const RowActions = memo(PlainActions) as typeof PlainActions

/** Scrolling draws only the rows that come in. */
const BodyRow = memo(PlainRow) as typeof PlainRow

/** Uneven, so that a loading table looks like text and not like a wall; always the same for a place. */
function skeletonWidth(index: number, columnId: string): string {
  return `${40 + ((index * 37 + columnId.length * 23 + columnId.charCodeAt(0) * 11) % 45)}%`
}
