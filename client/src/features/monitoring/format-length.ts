import { formatDuration } from '#client/lib/format.ts'
import { spanParts } from './span-parts.ts'

/** `2 h 5 min`: the two largest units. */
export const formatLength = (ms: number): string =>
  spanParts(ms)
    .map((seconds) => formatDuration(seconds))
    .join(' ')
