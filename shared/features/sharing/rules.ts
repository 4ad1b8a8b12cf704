/** What can be given, in rising order. */
export const shareLevels = ['view', 'operate', 'manage'] as const

/** In rising order: each allows what the ones before it allow. `own` is the owner's and an administrator's only. */
export const levels = [...shareLevels, 'own'] as const
export type Level = (typeof levels)[number]

export const isAtLeast = (level: Level, needed: Level): boolean => levels.indexOf(level) >= levels.indexOf(needed)

/** Whether a resource that is shown may be acted on; `shared` null: it is the person's own. */
export const allows = (shared: { readonly level: Level } | null, needed: Level): boolean => isAtLeast(shared?.level ?? 'own', needed)
