import { Checkbox } from '@mantine/core'
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react'
import { type CSSProperties, type KeyboardEvent, memo, type PointerEvent, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import type { DataColumn, DataTableProps, Sort, TableSelection } from './data-table.types.ts'
import classes from './data-table.module.css'

const minimum = 64
const stepPx = 16

interface HeadProps<Row> extends Pick<DataTableProps<Row>, 'layout' | 'sort'> {
  shown: readonly DataColumn<Row>[]
  /** The sticky columns. */
  pinned: ReadonlySet<string>
  sortable: boolean
  onSort: (sort: Sort) => void
  /** The state of the checkbox for all; undefined: no selection. */
  all: TableSelection<Row>['all'] | undefined
  /** There are no rows to select yet. */
  loading: boolean
  onToggleAll: () => void
}

function PlainHead<Row>({ shown, pinned, all, loading, onToggleAll, ...table }: HeadProps<Row>) {
  const { t } = useTranslation()
  return (
    <div role="rowgroup" className={classes['head']}>
      <div role="row" aria-rowindex={1} className={`flex line-bottom on-sunken ${classes['headRow']}`}>
        {all === undefined ? null : (
          <div role="columnheader" className={`row center ${classes['pick']}`}>
            <Checkbox
              aria-label={t('table.select_all')}
              checked={all === 'all'}
              indeterminate={all === 'some'}
              disabled={loading}
              onChange={onToggleAll}
            />
          </div>
        )}
        {shown.map((column) => (
          <HeadCell key={column.id} column={column} pinned={pinned.has(column.id)} {...table} />
        ))}
      </div>
    </div>
  )
}

/** The header of a table: sorting, the checkbox for all, and resize handles. Rows change without re-rendering it. */
export const TableHead = memo(PlainHead) as typeof PlainHead

/** The position and width of a column, defined once for all rows of the table. */
export const columnStyle = (id: string): CSSProperties => ({ '--w': `var(--w-${id})`, '--at': `var(--at-${id})` }) as CSSProperties

function HeadCell<Row>({
  column,
  pinned,
  layout,
  sort,
  sortable,
  onSort,
}: Omit<HeadProps<Row>, 'shown' | 'pinned' | 'all' | 'loading' | 'onToggleAll'> & { column: DataColumn<Row>; pinned: boolean }) {
  const { t } = useTranslation()
  const cell = useRef<HTMLDivElement>(null)
  const key = column.sortKey
  const direction = key !== undefined && sort?.key === key ? sort.direction : null
  const width = (): number => cell.current?.offsetWidth ?? column.width
  const resize = (to: number): void => layout.resize(column.id, Math.max(column.minWidth ?? minimum, Math.round(to)))

  const drag = (event: PointerEvent<HTMLDivElement>): void => {
    event.preventDefault()
    const edge = event.currentTarget
    const startX = event.clientX
    const startWidth = width()
    edge.setPointerCapture(event.pointerId)
    const move = (next: globalThis.PointerEvent): void => resize(startWidth + next.clientX - startX)
    edge.addEventListener('pointermove', move)
    edge.addEventListener('lostpointercapture', () => edge.removeEventListener('pointermove', move), { once: true })
  }
  const nudge = (event: KeyboardEvent): void => {
    const by = { ArrowLeft: -stepPx, ArrowRight: stepPx }[event.key]
    if (by === undefined) return
    event.preventDefault()
    event.stopPropagation()
    resize(width() + by)
  }

  return (
    <div
      ref={cell}
      role="columnheader"
      aria-sort={direction === null ? undefined : direction === 'asc' ? 'ascending' : 'descending'}
      className={classes['headCell']}
      data-align={column.align}
      data-grow={column.grow || undefined}
      data-pinned={pinned || undefined}
      style={columnStyle(column.id)}
    >
      {key === undefined || !sortable ? (
        <span className="cut" title={column.hint}>
          {column.title}
        </span>
      ) : (
        <button
          type="button"
          className={`row gap-4 shrink medium pointer radius-s inherit no-border no-background hover hover-primary ${classes['sort']}`}
          data-sorted={direction ?? undefined}
          title={column.hint}
          onClick={() => onSort({ key, direction: direction === 'asc' ? 'desc' : 'asc' })}
        >
          <span className="cut">{column.title}</span>
          {direction === 'desc' ? <IconArrowDown size={13} stroke={2} /> : <IconArrowUp size={13} stroke={2} />}
        </button>
      )}
      <div
        role="separator"
        aria-orientation="vertical"
        aria-label={t('table.resize', { column: column.title })}
        aria-valuenow={layout.widths[column.id] ?? column.width}
        tabIndex={0}
        className={classes['edge']}
        onPointerDown={drag}
        onKeyDown={nudge}
        onDoubleClick={() => layout.resize(column.id, null)}
      />
    </div>
  )
}
