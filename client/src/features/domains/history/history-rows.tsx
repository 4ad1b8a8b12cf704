import { defaultRangeExtractor, useVirtualizer, type Range } from '@tanstack/react-virtual'
import { type ReactNode, useCallback, useMemo, useRef } from 'react'
import { formatDay } from '#client/lib/format.ts'
import { useListOffset } from '#client/ui/table/use-list-offset.ts'
import { firstRect, scrollParentOf } from '#client/ui/layout/scroll-region.tsx'
import type { HistoryRow } from './list-rows.ts'
import classes from './history-rows.module.css'

const dayHeight = 44
const rowHeight = 39

/** The rows of the history, which scroll with the page; the heading of the topmost day stays visible. */
export function HistoryRows({
  label,
  rows,
  nowMs,
  children,
}: {
  label: string
  rows: readonly HistoryRow[]
  nowMs: number
  children: (row: Exclude<HistoryRow, { kind: 'day' }>) => ReactNode
}) {
  const list = useRef<HTMLDivElement>(null)
  const offset = useListOffset(list)
  const days = useMemo(() => rows.flatMap(({ kind }, index) => (kind === 'day' ? [index] : [])), [rows])
  const sticky = useRef(0)
  const rangeExtractor = useCallback(
    (range: Range) => {
      sticky.current = days.findLast((index) => index <= range.startIndex) ?? 0
      return [...new Set([sticky.current, ...defaultRangeExtractor(range)])]
    },
    [days],
  )
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scrollParentOf(list.current),
    initialRect: firstRect(),
    estimateSize: (index) => (rows[index]?.kind === 'day' ? dayHeight : rowHeight),
    getItemKey: (index) => rows[index]?.key ?? index,
    rangeExtractor,
    overscan: 10,
    scrollMargin: offset,
  })
  return (
    <div ref={list} role="list" aria-label={label} className="relative" style={{ height: virtual.getTotalSize() }}>
      {virtual.getVirtualItems().map(({ index, key, start }) => {
        const row = rows[index]
        if (row === undefined) return null
        const stuck = index === sticky.current
        return (
          <div
            key={key}
            ref={virtual.measureElement}
            data-index={index}
            role="listitem"
            className={row.kind === 'day' ? classes['day'] : classes['row']}
            {...(row.kind !== 'day' && {
              'data-first': row.first || undefined,
              'data-last': row.last || undefined,
              'data-inner': (row.kind === 'entry' && row.inner) || undefined,
            })}
            data-stuck={stuck || undefined}
            style={stuck ? undefined : { transform: `translateY(${start - offset}px)` }}
          >
            {row.kind === 'day' ? <h2 className="size-13 secondary">{formatDay(row.ms, nowMs)}</h2> : children(row)}
          </div>
        )
      })}
    </div>
  )
}
