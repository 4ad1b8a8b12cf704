import classes from './state-badge.module.css'

export type Tone = 'good' | 'warn' | 'bad' | 'info' | 'idle'

/** A state as an icon and a label. `quiet` omits the background, for table cells. */
export function StateBadge({ tone, label, quiet = false, pulse = false }: { tone: Tone; label: string; quiet?: boolean; pulse?: boolean }) {
  return (
    <span className={classes['badge']} data-tone={tone} data-quiet={quiet || undefined}>
      <StatusDot tone={tone} pulse={pulse} />
      <span className={classes['label']}>{label}</span>
    </span>
  )
}

/** A state as a dot. Its shape differs too (disc, triangle, diamond, ring, dash), so that color is never the only indicator. */
export function StatusDot({ tone, label, pulse = false }: { tone: Tone; label?: string; pulse?: boolean }) {
  return (
    <svg
      viewBox="0 0 10 10"
      className={classes['dot']}
      data-tone={tone}
      data-pulse={pulse || undefined}
      role={label === undefined ? undefined : 'img'}
      aria-label={label}
      aria-hidden={label === undefined || undefined}
    >
      {shapes[tone]}
    </svg>
  )
}

const shapes = {
  good: <circle cx="5" cy="5" r="3.5" fill="currentColor" />,
  warn: <path d="M5 1.2 9.2 8.6H.8z" fill="currentColor" stroke="currentColor" strokeWidth=".8" strokeLinejoin="round" />,
  bad: <path d="M5 .8 9.2 5 5 9.2.8 5z" fill="currentColor" stroke="currentColor" strokeWidth=".6" strokeLinejoin="round" />,
  info: <circle cx="5" cy="5" r="3" fill="none" stroke="currentColor" strokeWidth="2" />,
  idle: <circle cx="5" cy="5" r="3.2" fill="none" stroke="currentColor" strokeWidth="1.4" strokeDasharray="2.2 1.6" />,
} satisfies Record<Tone, unknown>
