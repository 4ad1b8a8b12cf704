import { lazyPart } from '#client/lib/lazy-part.tsx'

/** The group components for other features; code and texts of actions are loaded when first shown. */
export { GroupMark } from './group-mark.tsx'
export { useManagedGroups, useMovable } from './queries.ts'

export const CreateGroup = lazyPart(async () => (await import('./group-dialog.tsx')).GroupDialog, 'groups')
