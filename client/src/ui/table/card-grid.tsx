import { useVirtualizer } from '@tanstack/react-virtual'
import { type CSSProperties, memo, type ReactNode, type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react'
import type { TableSelection } from './data-table.types.ts'
import { Skeleton } from '../feedback/skeleton.tsx'
import { usePhone } from '../layout/use-media.ts'
import { firstRect, scrollParentOf } from '../layout/scroll-region.tsx'
import { useListOffset } from './use-list-offset.ts'
import { useTableCursor } from './use-table-cursor.ts'
import classes from './card-grid.module.css'

const gap = 12
const skeletonCards = 24

interface CardGridProps<Row> {
  label: string
  rowCount: number
  getRow: (index: number) => Row | undefined
  onRangeVisible?: (from: number, to: number) => void
  renderCard: (row: Row, index: number) => ReactNode
  cardHeight: number
  minWidth?: number
  selection?: Pick<TableSelection<Row>, 'isSelected'>
  loading?: boolean
  refreshing?: boolean
  /** When it changes, the list is a different one and scrolls to its top. */
  scrollKey?: string
  empty: ReactNode
  bottomSpace?: number
  /** Keyboard handling as in the list; without these the grid has no cursor. */
  onSelect?: (index: number, range: boolean) => void
  onOpen?: (row: Row) => void
}

/** The grid view of a list: as many cards side by side as fit, virtualized by index. */
export function CardGrid<Row>(props: CardGridProps<Row>) {
  const { label, rowCount, getRow, onRangeVisible, renderCard, cardHeight, minWidth = 260, selection, empty, bottomSpace = 0 } = props
  const { loading = false, refreshing = false } = props
  const own = useRef<HTMLDivElement>(null)
  const list = useRef<HTMLDivElement>(null)
  const phone = usePhone()
  const count = loading && rowCount === 0 ? skeletonCards : rowCount
  const nothing = count === 0
  const offset = useListOffset(list, phone && !nothing)
  const columns = useColumnCount(list, minWidth, nothing)
  const lines = Math.ceil(count / columns)

  const virtual = useVirtualizer({
    count: lines,
    getScrollElement: () => (phone ? scrollParentOf(list.current) : own.current),
    initialRect: firstRect(),
    estimateSize: () => cardHeight + gap,
    overscan: 4,
    scrollMargin: offset,
    paddingEnd: bottomSpace,
  })
  const items = virtual.getVirtualItems()
  const from = (items[0]?.index ?? 0) * columns
  const to = Math.min(count - 1, ((items.at(-1)?.index ?? 0) + 1) * columns - 1)
  useEffect(() => {
    if (count > 0) onRangeVisible?.(from, to)
  }, [from, to, count, onRangeVisible])

  const cursor = useCursor(own, virtual, columns, props)

  if (nothing) return empty
  return (
    <div
      ref={own}
      className={`grow scroll-y ${classes['scroller']}`}
      data-phone={phone || undefined}
      role="group"
      aria-label={label}
      // Arrow keys move among the cards from here.
      tabIndex={0}
      aria-activedescendant={cursor.index === null ? undefined : `card-${cursor.index}`}
      onKeyDown={cursor.onKeyDown}
    >
      <div
        ref={list}
        role="list"
        aria-label={label}
        aria-busy={loading || refreshing || undefined}
        className={classes['body']}
        data-refreshing={refreshing || undefined}
        style={{ height: virtual.getTotalSize() }}
      >
        {items.flatMap(({ index: line, start }) =>
          Array.from({ length: Math.min(columns, count - line * columns) }, (_, column) => {
            const index = line * columns + column
            const row = loading ? undefined : getRow(index)
            return (
              <div
                key={index}
                id={`card-${index}`}
                role="listitem"
                data-current={index === cursor.index || undefined}
                aria-setsize={loading ? -1 : rowCount}
                aria-posinset={index + 1}
                className={`clip size-13 border radius-8 on-surface ${classes['card']}`}
                data-selected={(row !== undefined && selection?.isSelected(row)) || undefined}
                style={{ height: cardHeight, ...placeOf(column, columns, start - offset) }}
              >
                {row === undefined ? <CardSkeleton /> : <Content row={row} index={index} render={renderCard} />}
              </div>
            )
          }),
        )}
      </div>
    </div>
  )
}

/** Arrow keys move among the cards; a different list starts at its top. */
function useCursor<Row>(
  own: RefObject<HTMLDivElement | null>,
  virtual: { readonly scrollToIndex: (index: number) => void },
  columns: number,
  { rowCount, getRow, cardHeight, loading = false, scrollKey, onSelect, onOpen }: CardGridProps<Row>,
) {
  const cursor = useTableCursor({
    count: loading ? 0 : rowCount,
    columns,
    pageRows: Math.max(1, Math.floor((own.current?.clientHeight ?? 400) / (cardHeight + gap)) - 1),
    scrollTo: (index) => virtual.scrollToIndex(Math.floor(index / columns)),
    onSelect: (index, range) => onSelect?.(index, range),
    onOpen: (index) => {
      const row = getRow(index)
      if (row !== undefined) onOpen?.(row)
    },
  })
  const { setIndex } = cursor

  useLayoutEffect(() => {
    own.current?.scrollTo({ top: 0 })
    setIndex(null)
  }, [scrollKey, setIndex, own])
  return cursor
}

const placeOf = (column: number, columns: number, topPx: number): CSSProperties => ({
  width: `calc((100% - ${(columns - 1) * gap}px) / ${columns})`,
  left: `calc((100% + ${gap}px) / ${columns} * ${column})`,
  transform: `translateY(${topPx}px)`,
})

/** How many cards fit side by side. */
function useColumnCount(list: RefObject<HTMLDivElement | null>, minWidth: number, nothing: boolean): number {
  const [columns, setColumns] = useState(1)
  useLayoutEffect(() => {
    const element = list.current
    if (!element) return
    const measure = (): void => setColumns(Math.max(1, Math.floor((element.clientWidth + gap) / (minWidth + gap))))
    measure()
    const watch = new ResizeObserver(measure)
    watch.observe(element)
    return () => watch.disconnect()
  }, [list, minWidth, nothing])
  return columns
}

function PlainContent<Row>({ row, index, render }: { row: Row; index: number; render: (row: Row, index: number) => ReactNode }) {
  return render(row, index)
}
/** Scrolling and the first measurements render only the new cards. */
const Content = memo(PlainContent) as typeof PlainContent

function CardSkeleton() {
  return (
    <div className={`column gap-12 ${classes['skeleton']}`}>
      <Skeleton width="65%" height={12} />
      <Skeleton width="40%" />
      <Skeleton width="50%" />
    </div>
  )
}
