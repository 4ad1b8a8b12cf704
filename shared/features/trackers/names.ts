import type { TrackerKind } from './schema.ts'

/** Product names, the same in every language. */
export const trackerNames = { KEITARO: 'Keitaro', BINOM: 'Binom' } as const satisfies Record<TrackerKind, string>

/** In display order. */
export const trackerKinds = ['KEITARO', 'BINOM'] as const satisfies readonly TrackerKind[]

/** The product name; an unknown one is returned unchanged. */
export const trackerNameOf = (kind: string): string => (Object.hasOwn(trackerNames, kind) ? trackerNames[kind as TrackerKind] : kind)
