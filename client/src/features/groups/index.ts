import { loadTexts } from '#client/lib/i18n.ts'
import { lazyPart } from '#client/lib/lazy-part.tsx'

/** The group components for other features; code and texts of actions are loaded when first shown. */
export { GroupMark } from './group-mark.tsx'
export { useManagedGroups } from './queries.ts'
export { useMovable } from './queries.ts'

export const CreateGroup = lazyPart(async () => ({
  default: (await Promise.all([import('./group-dialog.tsx'), loadTexts('groups')]))[0].GroupDialog,
}))

export const NewGroup = lazyPart(async () => ({
  default: (await Promise.all([import('./new-group.tsx'), loadTexts('groups')]))[0].NewGroup,
}))
