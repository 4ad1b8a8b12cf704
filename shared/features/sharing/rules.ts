/** The levels of a share, in rising order. */
export const shareLevels = ['view', 'operate', 'manage'] as const

/** In rising order: each includes the previous ones. `own` is only for the owner and administrators. */
export const levels = [...shareLevels, 'own'] as const
export type Level = (typeof levels)[number]

export const isAtLeast = (level: Level, needed: Level): boolean => levels.indexOf(level) >= levels.indexOf(needed)

/** Whether the user may act on a visible resource; `shared` is null for the user's own. */
export const allows = (shared: { readonly level: Level } | null, needed: Level): boolean => isAtLeast(shared?.level ?? 'own', needed)
