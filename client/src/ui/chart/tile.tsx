import { type ReactNode, useEffect, useRef } from 'react'
import { formatNumber } from '#client/lib/format.ts'
import { Skeleton } from '../feedback/skeleton.tsx'
import { StatusDot, type Tone } from '../display/state-badge.tsx'
import { titleWhenCut } from '../display/title-when-cut.ts'
import classes from './tile.module.css'

/** A number that filters the list below it; pressed while the filter is active. An active tile is scrolled into view. */
export function Tile({
  label,
  value,
  tone,
  pressed,
  onPress,
}: {
  label: string
  /** Undefined while unknown. */
  value: number | undefined
  tone?: Tone
  pressed: boolean
  onPress: () => void
}) {
  const tile = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    const [own, strip] = [tile.current?.getBoundingClientRect(), tile.current?.parentElement]
    if (!pressed || own === undefined || strip == null) return
    const room = strip.getBoundingClientRect()
    if (own.right > room.right || own.left < room.left) strip.scrollLeft += (own.left + own.right - room.left - room.right) / 2
  }, [pressed])
  return (
    <button ref={tile} type="button" className={classes['tile']} aria-pressed={pressed} onClick={onPress}>
      <span className="row gap-6 shrink size-12 line-16 secondary">
        {tone === undefined ? null : <StatusDot tone={tone} />}
        <span className="cut">{label}</span>
      </span>
      <span className={`row semibold ${classes['value']}`}>
        {value === undefined ? <Skeleton width={40} height={16} /> : formatNumber(value)}
      </span>
    </button>
  )
}

/** Tiles side by side; on a phone a strip with its own horizontal scrolling. */
export function Tiles({ children, label }: { children: ReactNode; label: string }) {
  return (
    <div className={`grid gap-8 ${classes['tiles']}`} role="group" aria-label={label} onPointerOver={titleWhenCut}>
      {children}
    </div>
  )
}
