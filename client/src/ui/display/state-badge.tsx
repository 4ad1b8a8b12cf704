import { StatusDot, type Tone } from './status-dot.tsx'
import classes from './state-badge.module.css'

/** A state as an icon and a label. `quiet` omits the background, for table cells. */
export function StateBadge({ tone, label, quiet = false, pulse = false }: { tone: Tone; label: string; quiet?: boolean; pulse?: boolean }) {
  return (
    <span className={classes['badge']} data-tone={tone} data-quiet={quiet || undefined}>
      <StatusDot tone={tone} pulse={pulse} />
      <span className={classes['label']}>{label}</span>
    </span>
  )
}
