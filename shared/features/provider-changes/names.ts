/** Separate from the schema, because page URLs are parsed with the first load, which includes no schemas. */
export const changeKinds = ['records', 'settings', 'rules', 'zone', 'other', 'account'] as const
/** The longest name of an author. */
export const longestActor = 255
