import { type RefObject, useLayoutEffect, useRef, useState } from 'react'
import type { ColumnLayout, DataColumn } from './data-table.types.ts'
import { type FittedColumn, fitColumns } from './fit-columns.ts'
import classes from './data-table.module.css'

interface Shown<Row> {
  columns: readonly DataColumn<Row>[]
  layout: ColumnLayout
  /** The sticky columns, including the name of the row. */
  pinned: ReadonlySet<string>
  /** Space beside the columns: the checkboxes. */
  start: number
  /** Rendered rows; those that are not loaded are undefined. */
  rows: readonly (Row | undefined)[]
  /** The index of the first one. */
  from: number
  /** When it changes, the list is a different one. */
  listKey: string
  /** The rows are still those of the previous list. */
  stale: boolean
}

type Widths = Readonly<Record<string, number>>
interface Needs {
  /** Of the header and the visible cells. */
  readonly whole: Widths
  readonly title: Widths
}

const none: Needs = { whole: {}, title: {} }

/** The width of each column: as resized by the user, otherwise fitted to its cells. Measured before the paint, and not during scrolling. */
export function useColumnWidths<Row>(scroller: RefObject<HTMLElement | null>, shown: Shown<Row>): Readonly<Record<string, number>> {
  const { columns, layout, pinned, start, rows, from, stale } = shown
  const [needs, setNeeds] = useState(none)
  const [fontsRead, setFontsRead] = useState(false)
  const room = useInnerWidth(scroller)
  const last = useRef<{ key: string; needs: Needs; from: number; rows: readonly (Row | undefined)[] } | null>(null)
  const key = [shown.listKey, fontsRead, layout.comfortable, ...columns.map(({ id, title }) => `${id} ${title}`)].join()

  useLayoutEffect(() => {
    const grid = scroller.current
    if (grid === null || stale || !rows.some((row) => row !== undefined)) return
    const before = last.current?.key === key ? last.current : null
    if (before !== null && (before.from !== from || rows.every((row, index) => row === before.rows[index]))) return
    const found = measure(grid, columns)
    // Within a list columns only grow, so that they do not jump while results arrive.
    const most =
      before === null
        ? found
        : {
            title: found.title,
            whole: Object.fromEntries(Object.entries(found.whole).map(([id, need]) => [id, Math.max(need, before.needs.whole[id] ?? 0)])),
          }
    last.current = { key, needs: most, from, rows }
    setNeeds((now) => (columns.every(({ id }) => now.whole[id] === most.whole[id]) ? now : most))
    if (document.fonts.status === 'loading') void document.fonts.ready.then(() => setFontsRead(true))
  }, [scroller, columns, key, rows, from, stale])

  return fitColumns(
    columns.map(({ id, width, minWidth = 0, hideable = true }): FittedColumn => {
      const own = layout.widths[id]
      return {
        id,
        width: own ?? width,
        need: Math.max(minWidth, needs.whole[id] ?? width),
        title: needs.title[id] ?? 0,
        fixed: own !== undefined,
        name: !hideable && pinned.has(id),
      }
    }),
    room === null ? Infinity : room - start,
  )
}

/** The natural width of the header and the cells of each column. */
function measure<Row>(grid: HTMLElement, columns: readonly DataColumn<Row>[]): Needs {
  grid.toggleAttribute('data-measuring', true)
  const title: Record<string, number> = {}
  const whole: Record<string, number> = {}
  const take = (needs: Record<string, number>, id: string | undefined, cell: Element): void => {
    if (id !== undefined) needs[id] = Math.max(needs[id] ?? 0, Math.ceil(cell.getBoundingClientRect().width))
  }
  for (const [index, head] of grid.querySelectorAll(`.${classes['headCell'] ?? ''}`).entries()) take(title, columns[index]?.id, head)
  for (const cell of grid.querySelectorAll<HTMLElement>('[data-id] > [data-column]')) take(whole, cell.dataset['column'], cell)
  grid.toggleAttribute('data-measuring', false)
  for (const [id, width] of Object.entries(title)) whole[id] = Math.max(whole[id] ?? 0, width)
  return { whole, title }
}

function useInnerWidth(box: RefObject<HTMLElement | null>): number | null {
  const [width, setWidth] = useState<number | null>(null)
  useLayoutEffect(() => {
    const element = box.current
    if (element === null) return
    const read = (): void => setWidth(element.clientWidth)
    read()
    const observer = new ResizeObserver(read)
    observer.observe(element)
    return () => observer.disconnect()
  }, [box])
  return width
}
