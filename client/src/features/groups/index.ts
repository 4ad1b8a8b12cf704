import { lazyPart } from '#client/lib/lazy-part.tsx'

/** The group components for other features; code and texts of actions are loaded when first shown. */
export { GroupMark } from './group-mark.tsx'
export { useManagedGroups } from './queries.ts'
export { useMovable } from './queries.ts'

export const CreateGroup = lazyPart(async () => (await import('./group-dialog.tsx')).GroupDialog, 'groups')

export const NewGroup = lazyPart(async () => (await import('./new-group.tsx')).NewGroup, 'groups')
