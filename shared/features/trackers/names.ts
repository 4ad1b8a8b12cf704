/** In display order. */
export const trackerKinds = ['KEITARO', 'BINOM'] as const
type Kind = (typeof trackerKinds)[number]

/** Product names, the same in every language. */
export const trackerNames = { KEITARO: 'Keitaro', BINOM: 'Binom' } as const satisfies Record<Kind, string>

/** The product name; an unknown one is returned unchanged. */
export const trackerNameOf = (kind: string): string => (Object.hasOwn(trackerNames, kind) ? trackerNames[kind as Kind] : kind)
