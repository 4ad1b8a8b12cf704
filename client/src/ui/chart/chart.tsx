import type { Key, ReactNode } from 'react'
import classes from './chart.module.css'

export interface ChartBar {
  /** From the top, in units of the chart's height. */
  y: number
  height: number
  /** The name of a color token. */
  fill: string
  opacity?: number
}

interface ChartColumn {
  key: Key
  /** The tooltip. */
  title?: string
  bars: readonly ChartBar[]
}

const gaps = { wide: { bar: 8, gap: 2 }, fine: { bar: 3, gap: 1 } }

/**
 * Columns over time, as wide as their container. The data is described in text beside it, or in a `ChartTable`.
 * @param at the hovered column; the others are dimmed
 */
export function Chart({
  columns,
  height,
  drawn = height,
  look = 'wide',
  label,
  title,
  className = '',
  at = null,
  onPoint,
  middle = false,
  axis,
}: {
  columns: readonly ChartColumn[]
  /** The units of the bars. */
  height: number
  /** In pixels; defaults to the units. */
  drawn?: number
  look?: keyof typeof gaps
  /** Absent: decorative, because the data is shown elsewhere. */
  label?: string
  /** The tooltip. */
  title?: string
  className?: string
  at?: number | null
  onPoint?: (at: number | null) => void
  /** A line through the middle, for bars in both directions. */
  middle?: boolean
  /** Labels below it, from start to end. */
  axis?: readonly ReactNode[]
}) {
  const { bar, gap } = gaps[look]
  const step = bar + gap
  return (
    <>
      <svg
        viewBox={`0 0 ${columns.length * step - gap} ${height}`}
        preserveAspectRatio="none"
        className={`block full ${classes['chart']} ${className}`}
        style={{ height: drawn }}
        {...(label === undefined ? { 'aria-hidden': true } : { role: 'img', 'aria-label': label })}
        {...(onPoint && {
          onPointerMove: (event) => {
            const box = event.currentTarget.getBoundingClientRect()
            onPoint(Math.max(0, Math.min(columns.length - 1, Math.floor(((event.clientX - box.left) / box.width) * columns.length))))
          },
          onPointerLeave: () => onPoint(null),
        })}
      >
        {title === undefined ? null : <title>{title}</title>}
        {middle ? <line x1={0} x2={columns.length * step} y1={height / 2} y2={height / 2} /> : null}
        {columns.map(({ key, title: words, bars }, index) => (
          <g key={key} data-dim={(at !== null && at !== index) || undefined}>
            {words === undefined ? null : <title>{words}</title>}
            {bars.map((each, part) => (
              <rect key={part} x={index * step} width={bar} {...each} {...(look === 'fine' && { rx: 1 })} />
            ))}
          </g>
        ))}
      </svg>
      {axis === undefined ? null : (
        <div className="flex gap-8 between size-12 line-16 muted mt-4" aria-hidden>
          {axis.map((words, index) => (
            <span key={index}>{words}</span>
          ))}
        </div>
      )}
    </>
  )
}

/** The color legend of a chart. */
export function ChartKeys({
  keys,
  end,
  hidden = false,
}: {
  keys: readonly { readonly fill: string; readonly words: string }[]
  end?: ReactNode
  hidden?: boolean
}) {
  return (
    <p className="flex wrap gap-4-16 size-12 secondary numeric" aria-hidden={hidden || undefined}>
      {keys.map(({ fill, words }) => (
        <span key={fill} className="inline gap-6">
          <i className={classes['key']} style={{ background: fill }} aria-hidden />
          {words}
        </span>
      ))}
      {end === undefined ? null : <strong className="push medium primary">{end}</strong>}
    </p>
  )
}

/** The data of a chart for screen readers. */
export function ChartTable({
  caption,
  head,
  rows,
}: {
  caption: string
  head: readonly string[]
  /** The first cell is the row header. */
  rows: readonly { readonly key: Key; readonly cells: readonly string[] }[]
}) {
  return (
    // A table element itself ignores the width.
    <div className="sr-only">
      <table>
        <caption>{caption}</caption>
        {head.length === 0 ? null : (
          <thead>
            <tr>
              {head.map((title) => (
                <th key={title} scope="col">
                  {title}
                </th>
              ))}
            </tr>
          </thead>
        )}
        <tbody>
          {rows.map(({ key, cells: [name, ...cells] }) => (
            <tr key={key}>
              <th scope="row">{name}</th>
              {cells.map((cell, index) => (
                <td key={index}>{cell}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
