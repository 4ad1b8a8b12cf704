import { useVirtualizer } from '@tanstack/react-virtual'
import { useEffect, useLayoutEffect, useRef } from 'react'
import { useScrollParent } from '../layout/scroll-region.tsx'
import type { DataTableProps } from './data-table.types.ts'
import { Skeleton } from '../feedback/skeleton.tsx'
import { TableRows } from './table-rows.tsx'
import { titleWhenCut } from '../display/title-when-cut.ts'
import { useListOffset } from './use-list-offset.ts'
import { usePhone } from '../layout/use-media.ts'
import classes from './data-table.module.css'

const skeletonCards = 8
const gap = 8

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
  const scroller = useScrollParent()
  const list = useRef<HTMLDivElement>(null)
  const offset = useListOffset(list, scroller)
  const count = loading && rowCount === 0 ? skeletonCards : rowCount

  const heightOf = (index: number): number => {
    if (typeof cardHeight === 'number') return cardHeight
    return cardHeight(loading ? undefined : getRow(index))
  }
  const virtual = useVirtualizer({
    count,
    getScrollElement: () => scroller,
    estimateSize: (index) => heightOf(index) + gap,
    overscan: 6,
    scrollMargin: offset,
    paddingEnd: bottomSpace,
  })
  const items = virtual.getVirtualItems()
  const heights = items.map(({ index }) => heightOf(index)).join()
  useLayoutEffect(() => virtual.measure(), [virtual, heights])
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
      style={{ height: virtual.getTotalSize() }}
      onPointerOver={titleWhenCut}
    >
      {items.map(({ index, start }) => {
        const row = loading ? undefined : getRow(index)
        return (
          <div
            // A card that replaces its skeleton is a different item, possibly with another height: it has not moved.
            key={row === undefined ? `loading-${index}` : index}
            role="listitem"
            aria-setsize={loading ? -1 : rowCount}
            aria-posinset={index + 1}
            className={`full clip border radius-8 on-surface ${classes['card']}`}
            data-selected={(row !== undefined && props.selection?.isSelected(row)) || undefined}
            style={{ height: heightOf(index), transform: `translateY(${start - offset}px)` }}
          >
            {row === undefined ? <Skeleton width="60%" /> : props.renderCard(row)}
          </div>
        )
      })}
    </div>
  )
}
