import { memo, type MouseEvent, type ReactNode, startTransition, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import type { DataColumn, DataTableProps, Sort, SpecialRow } from './data-table.types.ts'
import { Skeleton } from '../feedback/skeleton.tsx'
import { SelectBox } from './select-box.tsx'
import { columnStyle } from './table-head.tsx'
import type { SelectionGestures } from './use-selection-gestures.ts'
import classes from './data-table.module.css'

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

/** Stable handlers that use the latest props, so that rows are not re-rendered. */
export function useHandlers<Row>(
  props: DataTableProps<Row>,
  picking: SelectionGestures,
  setCursor: (index: number) => void,
): Handlers<Row> {
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
        // Selecting text in a row does not open it.
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
        // Clears the word that a double click selects.
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
  /** For a special row. */
  size: number | undefined
  /** The table's own border is below it. */
  last: boolean
  row: Row | undefined
  id: string | undefined
  special: SpecialRow | undefined
  onHeight: (id: string, height: number) => void
  columns: readonly DataColumn<Row>[]
  pinned: ReadonlySet<string>
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
            <SelectBox
              label={props.boxLabel(props.label)}
              checked={props.selected}
              tabIndex={-1}
              onClick={(event) => handlers.onPick(index, event.shiftKey)}
            />
          )}
        </div>
      ) : null}
      <Cells index={index} row={row} columns={columns} pinned={props.pinned} />
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

/** Separate, so that selecting a row does not render its cells. */
function PlainCells<Row>({ index, row, columns, pinned }: Pick<BodyRowProps<Row>, 'index' | 'row' | 'columns' | 'pinned'>): ReactNode {
  return columns.map((column) => (
    <div
      key={column.id}
      role="gridcell"
      className={`row gap-8 shrink clip secondary nowrap ${classes['cell']}`}
      data-column={column.id}
      data-pinned={pinned.has(column.id) || undefined}
      data-align={column.align}
      data-grow={column.grow || undefined}
      style={columnStyle(column.id)}
    >
      {row === undefined ? <Skeleton width={skeletonWidth(index, column.id)} /> : <CellContent content={column.cell(row, index)} />}
    </div>
  ))
}
const Cells = memo(PlainCells) as typeof PlainCells

/** A plain text is wrapped too: as a bare text node of a flex box it would be cut without an ellipsis. */
function CellContent({ content }: { content: ReactNode }) {
  return typeof content === 'string' ? <span>{content}</span> : content
}

/** Invisible until a hover, so they render after everything visible; until then they are inert leftovers of another row. */
function PlainActions<Row>({ row, id, actions }: { row: Row; id: string; actions: (row: Row) => ReactNode }) {
  const [drawn, setDrawn] = useState<{ id: string; content: ReactNode } | null>(null)
  useEffect(() => startTransition(() => setDrawn({ id, content: actions(row) })), [row, id, actions])
  if (!drawn?.content) return null
  return (
    // A menu opened for one row does not stay open for another.
    <div key={drawn.id} className={classes['actions']} role="gridcell" data-no-open inert={drawn.id !== id}>
      <div className={`row gap-2 fill ${classes['actionsInner']}`}>{drawn.content}</div>
    </div>
  )
}
const RowActions = memo(PlainActions) as typeof PlainActions

/** Scrolling renders only the new rows. */
export const BodyRow = memo(PlainRow) as typeof PlainRow

/** Uneven, so that a loading table looks like text; stable for each position. */
function skeletonWidth(index: number, columnId: string): string {
  return `${40 + ((index * 37 + columnId.length * 23 + columnId.charCodeAt(0) * 11) % 45)}%`
}

/** Reports the height of its content, initially and on changes. */
function Measured({ id, onHeight, className, children }: MeasuredProps) {
  const box = useRef<HTMLDivElement>(null)
  const reportHeight = useRef(onHeight)
  useLayoutEffect(() => {
    reportHeight.current = onHeight
  })
  useLayoutEffect(() => {
    const element = box.current
    if (element === null) return
    const measure = (): void => reportHeight.current(id, Math.ceil(element.getBoundingClientRect().height))
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
