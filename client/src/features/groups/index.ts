import { lazy } from 'react'
import { loadTexts } from '#client/lib/i18n.ts'

/** What other features show of groups. */
export { GroupMark } from './group-mark.tsx'

/** `onSaved` is told the new group; the code comes when it is first shown. */
export const CreateGroup = lazy(async () => ({
  default: (await Promise.all([import('./group-dialog.tsx'), loadTexts('groups')]))[0].GroupDialog,
}))
