import { createElement, type CSSProperties } from 'react'
import { iconName, pictures } from './group-icons.ts'
import classes from './group-mark.module.css'

/** The color for `--own` in style sheets; neutral if there is none. */
export const ownColor = (color: string | null): CSSProperties => ({ ['--own' as string]: color ?? 'var(--idle)' })

/** A group's icon on its color. The name is shown beside it. */
export function GroupMark({ icon, color, size = 18 }: { icon: string | null; color: string | null; size?: number }) {
  return (
    <span
      className={`inline center fixed ${classes['mark']}`}
      style={{ ...ownColor(color), width: size, height: size, borderRadius: Math.round(size * 0.28) }}
      aria-hidden
    >
      {createElement(pictures[iconName(icon)], { size: Math.round(size * (size < 24 ? 0.72 : 0.56)), stroke: 1.8 })}
    </span>
  )
}
