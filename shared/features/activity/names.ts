/** Apart from the schema: the addresses of pages are read with the first load, which brings no schemas. */
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
/** A person in the browser, one of their tokens, an operation of theirs, the panel itself, or somebody who is not signed in. */
export const activityActorKinds = ['user', 'token', 'operation', 'system', 'anonymous'] as const
