/** Separate from the schema, because page URLs are parsed with the first load, which includes no schemas. */
export const changeKinds = ['records', 'settings', 'rules', 'zone', 'other', 'account'] as const
/** The author of changes whose log entries name none: such changes have nobody in common. */
export const unknownActor = 'unknown'
/** The longest name of an author. */
export const longestActor = 255
/** No more entries of the history are shown for a change. */
export const mostEntries = 200
/** No more changes are counted. */
export const mostCounted = 1_000
/** Changes by others that can take sites down or give access away. */
export const criticalChanges = ['name_servers', 'proxied_off', 'dnssec_off', 'zone_removed', 'mass_deletion', 'token_created'] as const
