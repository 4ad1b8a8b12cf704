/** Requests by day as digits: from 0, none, to 9, as many as on the busiest day. */
export function trendOf(days: readonly number[]): string {
  const busiest = Math.max(...days)
  return days.map((requests) => (requests === 0 ? 0 : Math.ceil((9 * requests) / busiest))).join('')
}
