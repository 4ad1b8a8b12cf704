import { useVirtualizer } from '@tanstack/react-virtual'
import { type CSSProperties, type RefObject, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { gapText } from '#client/lib/text.ts'
import type { DataColumn, DataTableProps } from './data-table.types.ts'
import { floatingSpace } from '../overlay/floating-space.ts'
import { TableHead } from './table-head.tsx'
import { BodyRow, useHandlers } from './table-row.tsx'
import { titleWhenCut } from '../display/title-when-cut.ts'
import { useColumnWidths } from './use-column-widths.ts'
import { useSelectionGestures, type SelectionGestures } from './use-selection-gestures.ts'
import { useSpecialRows } from './use-special-rows.ts'
import { useTableCursor } from './use-table-cursor.ts'
import classes from './data-table.module.css'

const skeletonRows = 24
const overscan = 3
const headHeight = 36

/** The table on a wide screen: its own scroll area and a sticky header. */
export function TableRows<Row>(props: DataTableProps<Row>) {
  const { columns, layout, selection, loading = false, getRow } = props
  const bottomSpace = (props.bottomSpace ?? 0) + floatingSpace.use()
  const { t } = useTranslation()
  const rowHeight = layout.comfortable ? 44 : 36
  const scroller = useRef<HTMLDivElement>(null)
  const shown = useMemo(() => columns.filter((column) => !layout.hidden.has(column.id)), [columns, layout.hidden])
  const count = loading && props.rowCount === 0 ? skeletonRows : props.rowCount

  const tall = useSpecialRows(props, count, rowHeight)
  const { virtual, space } = useRows(scroller, { count, tall, bottomSpace, onRangeVisible: props.onRangeVisible })
  const items = virtual.getVirtualItems()

  const picking = useSelectionGestures(props)
  const cursor = useCursor(props, { count, rowHeight, virtual, picking, scroller })
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
    from: items[0]?.index ?? 0,
    listKey: props.scrollKey ?? '',
    stale: props.refreshing === true,
  })

  return (
    <div
      ref={scroller}
      className={`relative scroll size-13 line-18 border radius-8 focus-inside ${classes['scroller']}`}
      style={{ ...stylesOf(shown, widths, pinned, start), '--row-height': `${rowHeight}px` } as CSSProperties}
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
      onPointerOver={(event) => {
        titleWhenCut(event)
        const row = event.target instanceof Element ? event.target.closest('[role=row][data-id]') : null
        if (row !== null) props.onHover?.(Number(row.getAttribute('aria-rowindex')) - 2)
      }}
      // Set directly, so that rows are not re-rendered.
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
        loading={loading}
        onToggleAll={handlers.onToggleAll}
      />
      <div role="rowgroup" className={classes['body']} style={{ height: virtual.getTotalSize() }}>
        {items.map(({ index, start, size }) => {
          const row = loading ? undefined : getRow(index)
          const id = row === undefined ? undefined : props.getRowId(row)
          const special = id === undefined ? undefined : props.special?.get(id)
          return (
            <BodyRow
              // A row that replaces its skeleton is a different item: its cells have other widths and have not moved.
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

type Rows = ReturnType<typeof useRows>['virtual']

/** The visible rows, and a few around them. */
function useRows(
  scroller: RefObject<HTMLDivElement | null>,
  {
    count,
    tall,
    bottomSpace,
    onRangeVisible,
  }: {
    count: number
    tall: ReturnType<typeof useSpecialRows>
    bottomSpace: number
    onRangeVisible: ((from: number, to: number) => void) | undefined
  },
) {
  // A list that ends above the floating elements needs no space for them and keeps its size.
  const [covered, setCovered] = useState(false)
  const space = covered ? bottomSpace : 0
  const virtual = useVirtualizer({
    count,
    getScrollElement: () => scroller.current,
    // An estimate of its size, so that the first rows render with the page and not after its layout.
    initialRect: { width: 0, height: Math.max(0, window.innerHeight - 260) },
    estimateSize: tall.heightOf,
    rangeExtractor: tall.rangeExtractor,
    overscan,
    paddingEnd: space,
    scrollPaddingStart: headHeight,
  })
  const endPx = virtual.getTotalSize() - space + headHeight
  const heightPx = virtual.scrollRect?.height
  useEffect(() => {
    if (bottomSpace === 0) return
    // After the paint: a layout only for it would delay every selection, and the space is at the end of the list.
    const frame = requestAnimationFrame(() => {
      const page = scroller.current?.parentElement
      if (!scroller.current || !page) return
      setCovered(scroller.current.getBoundingClientRect().top + endPx + bottomSpace > page.getBoundingClientRect().bottom)
    })
    return () => cancelAnimationFrame(frame)
  }, [scroller, bottomSpace, endPx, heightPx])
  const items = virtual.getVirtualItems()
  const from = items[0]?.index ?? 0
  const to = items.at(-1)?.index ?? 0
  const { heightOf } = tall
  const measured = useRef(heightOf)
  // Before the paint, so that misplaced rows are never visible.
  useLayoutEffect(() => {
    if (measured.current === heightOf) return
    measured.current = heightOf
    virtual.measure()
  }, [heightOf, virtual])
  useEffect(() => {
    if (count > 0) onRangeVisible?.(from, to)
  }, [from, to, count, onRangeVisible])
  return { virtual, space }
}

/** The row for keyboard actions; a different list has none yet and starts at its top. */
function useCursor<Row>(
  props: DataTableProps<Row>,
  {
    count,
    rowHeight,
    virtual,
    picking,
    scroller,
  }: {
    count: number
    rowHeight: number
    virtual: Rows
    picking: SelectionGestures
    scroller: RefObject<HTMLDivElement | null>
  },
) {
  const { getRow, scrollKey } = props
  const cursor = useTableCursor({
    count,
    // From the virtualizer, because measuring the DOM would force a layout during rendering.
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

  const { setIndex } = cursor
  const atRow = cursor.index !== null
  const shownKey = useRef(scrollKey)
  useLayoutEffect(() => {
    if (shownKey.current === scrollKey) return
    shownKey.current = scrollKey
    // Scrolling forces a layout, which a list at its top does not need.
    if ((virtual.scrollOffset ?? 0) > 0) scroller.current?.scrollTo({ top: 0 })
    if (atRow) setIndex(null)
  }, [scrollKey, atRow, setIndex, virtual, scroller])
  return cursor
}

/** The sticky columns on horizontal scrolling: those marked, otherwise only the name, so that they leave room for the others. */
function pinnedOf<Row>(columns: readonly DataColumn<Row>[]): ReadonlySet<string> {
  const marked = columns.filter(({ pinned = false }) => pinned)
  const name = columns.find(({ hideable = true }) => !hideable)
  return new Set((marked.length > 0 || name === undefined ? marked : [name]).map(({ id }) => id))
}

const pickWidth = 40

/** The width of each column, and the total: rows have the total width, so that what overflows can be scrolled to. */
function stylesOf<Row>(
  columns: readonly DataColumn<Row>[],
  widths: Readonly<Record<string, number>>,
  pinned: ReadonlySet<string>,
  start: number,
): Record<string, string> {
  let [before, pinnedBefore] = [start, start]
  const all: Record<string, string> = {}
  for (const { id } of columns) {
    const width = widths[id] ?? 0
    all[`--w-${id}`] = `${width}px`
    before += width
    if (!pinned.has(id)) continue
    all[`--at-${id}`] = `${pinnedBefore}px`
    pinnedBefore += width
  }
  return { ...all, '--table-width': `${before}px` }
}
