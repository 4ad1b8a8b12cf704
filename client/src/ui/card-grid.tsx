import { useVirtualizer } from '@tanstack/react-virtual'
import { type ReactNode, useEffect, useLayoutEffect, useRef, useState } from 'react'
import type { TableSelection } from './data-table.types.ts'
import { Skeleton } from './skeleton.tsx'
import { usePhone } from './use-phone.ts'
import { useScrollParent } from './scroll-parent.tsx'
import classes from './card-grid.module.css'

const gap = 12
const skeletonCards = 24

/** The grid mode of a list: as many cards side by side as fit, virtual, by index. */
export function CardGrid<Row>({
  label,
  rowCount,
  getRow,
  onRangeVisible,
  renderCard,
  cardHeight,
  minWidth = 260,
  selection,
  loading = false,
  refreshing = false,
  scrollKey,
  empty,
  bottomSpace = 0,
}: {
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
  /** When it changes, the list is another one: it starts at its top again. */
  scrollKey?: string
  empty: ReactNode
  bottomSpace?: number
}) {
  const own = useRef<HTMLDivElement>(null)
  const list = useRef<HTMLDivElement>(null)
  const page = useScrollParent()
  const phone = usePhone()
  const [place, setPlace] = useState({ columns: 1, offset: 0 })
  const count = loading && rowCount === 0 ? skeletonCards : rowCount
  const lines = Math.ceil(count / place.columns)

  // On a phone the page scrolls, elsewhere the grid does; both may change size at any time.
  useLayoutEffect(() => {
    const element = list.current
    if (!element) return
    const measure = (): void => {
      const columns = Math.max(1, Math.floor((element.clientWidth + gap) / (minWidth + gap)))
      const offset = phone && page ? Math.round(element.getBoundingClientRect().top - page.getBoundingClientRect().top + page.scrollTop) : 0
      setPlace((before) => (before.columns === columns && before.offset === offset ? before : { columns, offset }))
    }
    measure()
    const watch = new ResizeObserver(measure)
    watch.observe(element)
    return () => watch.disconnect()
  }, [minWidth, page, phone, count === 0])

  const virtual = useVirtualizer({
    count: lines,
    getScrollElement: () => (phone ? page : own.current),
    estimateSize: () => cardHeight + gap,
    overscan: 4,
    scrollMargin: place.offset,
    paddingEnd: bottomSpace,
  })
  const items = virtual.getVirtualItems()
  const from = (items[0]?.index ?? 0) * place.columns
  const to = Math.min(count - 1, ((items.at(-1)?.index ?? 0) + 1) * place.columns - 1)
  useEffect(() => {
    if (count > 0) onRangeVisible?.(from, to)
  }, [from, to, count, onRangeVisible])

  useLayoutEffect(() => {
    own.current?.scrollTo({ top: 0 })
  }, [scrollKey])

  if (count === 0) return empty
  return (
    <div ref={own} className={classes['scroller']} data-phone={phone || undefined}>
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
          Array.from({ length: Math.min(place.columns, count - line * place.columns) }, (_, column) => {
            const index = line * place.columns + column
            const row = loading ? undefined : getRow(index)
            return (
              <div
                key={index}
                role="listitem"
                aria-setsize={loading ? -1 : rowCount}
                aria-posinset={index + 1}
                className={classes['card']}
                data-selected={(row !== undefined && selection?.isSelected(row)) || undefined}
                style={{
                  height: cardHeight,
                  width: `calc((100% - ${(place.columns - 1) * gap}px) / ${place.columns})`,
                  left: `calc((100% + ${gap}px) / ${place.columns} * ${column})`,
                  transform: `translateY(${start - place.offset}px)`,
                }}
              >
                {row === undefined ? <CardSkeleton /> : renderCard(row, index)}
              </div>
            )
          }),
        )}
      </div>
    </div>
  )
}

function CardSkeleton() {
  return (
    <div className={classes['skeleton']}>
      <Skeleton width="65%" height={12} />
      <Skeleton width="40%" />
      <Skeleton width="50%" />
    </div>
  )
}
