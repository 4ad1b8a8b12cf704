/** Separate from the schema, because page URLs are parsed with the first load, which includes no schemas. */
export const activityActions = ['create', 'update', 'delete', 'sync', 'login', 'logout', 'reveal', 'denied'] as const
export const activityEntities = [
  'zone',
  'account',
  'group',
  'registrar',
  'user',
  'settings',
  'profile',
  'token',
  'operation',
  'tracker',
] as const
/** A user in the browser, an API token, an operation, the panel itself, or an anonymous visitor. */
export const activityActorKinds = ['user', 'token', 'operation', 'system', 'anonymous'] as const
