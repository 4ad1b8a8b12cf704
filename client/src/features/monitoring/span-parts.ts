const [minute, hour, day] = [60, 3600, 86_400]

/** A duration in milliseconds as seconds of its two largest units, each whole: 2 h 5 min is `[7200, 300]`. */
export function spanParts(spanMs: number): readonly number[] {
  const seconds = Math.max(0, Math.round(spanMs / 1000))
  if (seconds < minute) return [seconds]
  if (seconds < hour) return [Math.floor(seconds / minute) * minute]
  const [large, small] = seconds < day ? [hour, minute] : [day, hour]
  const rest = Math.floor((seconds % large) / small) * small
  const whole = Math.floor(seconds / large) * large
  return rest === 0 ? [whole] : [whole, rest]
}
