import { Checkbox } from '@mantine/core'
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react'
import { type CSSProperties, type KeyboardEvent, type PointerEvent, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import type { DataColumn, DataTableProps } from './data-table.types.ts'
import classes from './data-table.module.css'

const minimum = 64
const stepPx = 16

/** The head of a table: sorting, the box for all, the edges that size columns. */
export function TableHead<Row>(props: DataTableProps<Row> & { shown: readonly DataColumn<Row>[] }) {
  const { selection, shown } = props
  const { t } = useTranslation()
  return (
    <div role="rowgroup" className={classes['head']}>
      <div role="row" aria-rowindex={1} className={classes['headRow']}>
        {selection ? (
          <div role="columnheader" className={classes['pick']}>
            <Checkbox
              aria-label={t('table.select_all')}
              checked={selection.all === 'all'}
              indeterminate={selection.all === 'some'}
              onChange={() => selection.onToggleAll(selection.all === 'none')}
            />
          </div>
        ) : null}
        {shown.map((column) => (
          <HeadCell key={column.id} column={column} table={props} />
        ))}
      </div>
    </div>
  )
}

function HeadCell<Row>({ column, table }: { column: DataColumn<Row>; table: DataTableProps<Row> }) {
  const { sort, onSort, layout } = table
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
      style={{ '--w': `var(--w-${column.id})` } as CSSProperties}
    >
      {key === undefined || !onSort ? (
        <span className={classes['title']}>{column.title}</span>
      ) : (
        <button
          type="button"
          className={classes['sort']}
          data-sorted={direction ?? undefined}
          onClick={() => onSort({ key, direction: direction === 'asc' ? 'desc' : 'asc' })}
        >
          <span className={classes['title']}>{column.title}</span>
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
        onDoubleClick={() => resize(column.width)}
      />
    </div>
  )
}
