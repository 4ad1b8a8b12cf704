import { formatDuration } from '#client/lib/format.ts'

/** ‘2 h 5 min’: two units at most; under a minute its seconds. */
export function spanText(fromMs: number, toMs: number): string {
  const seconds = Math.max(0, Math.round((toMs - fromMs) / 1000))
  if (seconds < 60) return formatDuration(seconds)
  const minutes = Math.round(seconds / 60)
  if (minutes < 60) return formatDuration(minutes * 60)
  const [large, small] = minutes < 1440 ? [60, 1] : [1440, 60]
  const rest = Math.floor((minutes % large) / small)
  const whole = formatDuration(Math.floor(minutes / large) * large * 60)
  return rest === 0 ? whole : `${whole} ${formatDuration(rest * small * 60)}`
}
