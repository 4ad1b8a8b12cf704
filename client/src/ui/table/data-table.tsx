import { useVirtualizer } from '@tanstack/react-virtual'
import { memo, type ReactNode, useDeferredValue, useEffect, useLayoutEffect, useRef } from 'react'
import { firstRect, scrollParentOf } from '../layout/scroll-region.tsx'
import type { DataTableProps } from './data-table.types.ts'
import { Skeleton } from '../feedback/skeleton.tsx'
import { TableRows } from './table-rows.tsx'
import { titleWhenCut } from '../display/title-when-cut.ts'
import { useListOffset } from './use-list-offset.ts'
import { usePhone } from '../layout/use-media.ts'
import classes from './data-table.module.css'

const skeletonCards = 8
const gap = 8
const firstMeasured = 200

/**
 * The table component: rows are virtualized by index, so that only some dozens are rendered for any `rowCount`. Rows that are not loaded show as
 * skeletons.
 */
export function DataTable<Row>(props: DataTableProps<Row>) {
  const phone = usePhone()
  if (!props.loading && props.rowCount === 0) return props.empty
  return phone ? <TableCards {...props} /> : <TableRows {...props} />
}

/** The same rows on a phone: cards that scroll with the page. */
function TableCards<Row>(props: DataTableProps<Row>) {
  const { rowCount, loading = false, getRow, cardHeight, onRangeVisible, bottomSpace = 0 } = props
  const list = useRef<HTMLDivElement>(null)
  const offset = useListOffset(list)
  const count = loading && rowCount === 0 ? skeletonCards : rowCount

  const heightOf = (index: number): number => {
    if (typeof cardHeight === 'number') return cardHeight
    return cardHeight(loading ? undefined : getRow(index))
  }
  // All are measured right after the first render, which 100,000 cards would delay.
  const all = useDeferredValue(true, false)
  const measured = all ? count : Math.min(count, firstMeasured)
  const virtual = useVirtualizer({
    count: measured,
    getScrollElement: () => scrollParentOf(list.current),
    initialRect: firstRect(),
    estimateSize: (index) => heightOf(index) + gap,
    overscan: 6,
    scrollMargin: offset,
    paddingEnd: bottomSpace,
  })
  const items = virtual.getVirtualItems()
  const outdated = items.some(({ index, size }) => size !== heightOf(index) + gap)
  // Only then, because it measures every row.
  useLayoutEffect(() => {
    if (outdated) virtual.measure()
  })
  const from = items[0]?.index ?? 0
  const to = items.at(-1)?.index ?? 0
  useEffect(() => {
    if (count > 0) onRangeVisible?.(from, to)
  }, [from, to, count, onRangeVisible])

  return (
    <div
      ref={list}
      role="list"
      aria-label={props.label}
      aria-busy={loading || undefined}
      className={classes['cards']}
      data-refreshing={props.refreshing || undefined}
      style={{ height: virtual.getTotalSize() + (measured < count ? (count - measured) * (heightOf(measured) + gap) : 0) }}
      onPointerOver={titleWhenCut}
    >
      {items.map(({ index, start }) => {
        const row = loading ? undefined : getRow(index)
        return (
          <Card
            // A card that replaces its skeleton is a different item, possibly with another height: it has not moved.
            key={row === undefined ? `loading-${index}` : index}
            row={row}
            position={index + 1}
            setSize={loading ? -1 : rowCount}
            selected={row !== undefined && props.selection?.isSelected(row) === true}
            height={heightOf(index)}
            top={start - offset}
            render={props.renderCard}
          />
        )
      })}
    </div>
  )
}

interface CardProps<Row> {
  row: Row | undefined
  position: number
  setSize: number
  selected: boolean
  height: number
  top: number
  render: (row: Row) => ReactNode
}

function PlainCard<Row>({ row, position, setSize, selected, height, top, render }: CardProps<Row>) {
  return (
    <div
      role="listitem"
      aria-setsize={setSize}
      aria-posinset={position}
      className={`full clip border radius-8 on-surface ${classes['card']}`}
      data-selected={selected || undefined}
      style={{ height, transform: `translateY(${top}px)` }}
    >
      {row === undefined ? <Skeleton width="60%" /> : render(row)}
    </div>
  )
}
/** Scrolling and the first measurements render only the new cards. */
const Card = memo(PlainCard) as typeof PlainCard
