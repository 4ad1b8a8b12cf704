import type { TrackerKind } from './schema.ts'

/** What the programs are called, in every language. */
export const trackerNames = { KEITARO: 'Keitaro', BINOM: 'Binom' } as const satisfies Record<TrackerKind, string>

/** In the order that people meet them. */
export const trackerKinds = ['KEITARO', 'BINOM'] as const satisfies readonly TrackerKind[]

/** Of a text that may be another program's: as it is written. */
export const trackerNameOf = (kind: string): string => (Object.hasOwn(trackerNames, kind) ? trackerNames[kind as TrackerKind] : kind)
