const two = (value: number): string => String(value).padStart(2, '0')

/** 2:59:07 */
export function clockOf(seconds: number): string {
  const left = Math.max(0, seconds)
  return `${Math.floor(left / 3600)}:${two(Math.floor((left % 3600) / 60))}:${two(left % 60)}`
}
