/** The line numbers beside the visible part of a field, from 1, and the offset of the first one above its top. */
export function linesInView(
  { scrollTopPx, heightPx, lineHeightPx }: { scrollTopPx: number; heightPx: number; lineHeightPx: number },
  lines: number,
): { numbers: readonly number[]; shiftPx: number } {
  const last = Math.min(lines, Math.ceil((scrollTopPx + heightPx) / lineHeightPx) + 1)
  const first = Math.max(0, Math.min(Math.floor(scrollTopPx / lineHeightPx) - 1, last - 1))
  return { numbers: Array.from({ length: last - first }, (_, at) => first + at + 1), shiftPx: first * lineHeightPx - scrollTopPx }
}
