/** Which lines stand beside the visible part of a field, from 1, and how far above its top the first of them begins. */
export function linesInView(
  { scrollTopPx, heightPx, lineHeightPx }: { scrollTopPx: number; heightPx: number; lineHeightPx: number },
  lines: number,
): { numbers: readonly number[]; shiftPx: number } {
  const last = Math.min(lines, Math.ceil((scrollTopPx + heightPx) / lineHeightPx) + 1)
  const first = Math.max(0, Math.min(Math.floor(scrollTopPx / lineHeightPx) - 1, last - 1))
  return { numbers: Array.from({ length: last - first }, (_, at) => first + at + 1), shiftPx: first * lineHeightPx - scrollTopPx }
}
