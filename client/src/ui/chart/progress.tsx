import { formatNumber } from '#client/lib/format.ts'
import classes from './progress.module.css'

/** A bar from 0 to `total`; indeterminate without a total. */
export function Progress({ label, value, total }: { label: string; value: number; total: number | undefined }) {
  const share = total === undefined ? undefined : total === 0 ? 1 : Math.min(1, value / total)
  return (
    <div
      className={classes['track']}
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={total}
      aria-valuenow={total === undefined ? undefined : value}
      aria-valuetext={total === undefined ? undefined : `${formatNumber(value)} / ${formatNumber(total)}`}
      data-unknown={share === undefined || undefined}
    >
      <div className={classes['bar']} style={share === undefined ? undefined : { transform: `scaleX(${share})` }} />
    </div>
  )
}

/** The same as a ring, for small spaces. */
export function ProgressRing({ label, value, total }: { label: string; value: number; total: number }) {
  const round = 2 * Math.PI * 6
  const share = total === 0 ? 1 : Math.min(1, value / total)
  return (
    <svg
      viewBox="0 0 16 16"
      width={16}
      height={16}
      className={classes['ring']}
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={total}
      aria-valuenow={value}
    >
      <circle cx="8" cy="8" r="6" className={classes['ringTrack']} />
      <circle cx="8" cy="8" r="6" className={classes['ringBar']} strokeDasharray={`${round * share} ${round}`} />
    </svg>
  )
}
