import { z } from 'zod'
import { shareLevels } from './rules.ts'

/**
 * `view`: see all but secrets. `operate`: change settings and records too, set name servers at a registrar, and bind domains in a tracker. `manage`: also add and
 * delete domains, and change the group, the name of the account or that of the registrar or tracker itself.
 */
export const shareLevel = z.enum(shareLevels, { error: 'invalid_value' })
export type ShareLevel = z.infer<typeof shareLevel>

/** How a resource is shared with the person who asks; null where it is their own or they administer. */
export const sharedWithMe = z.object({ by: z.string(), level: shareLevel }).nullable()
export type SharedWithMe = z.infer<typeof sharedWithMe>

/** Lists show both; this narrows to one. */
export const ownership = z.enum(['own', 'shared'])
export type Ownership = z.infer<typeof ownership>

export const share = z.object({
  id: z.uuid(),
  groupId: z.uuid().nullable(),
  accountId: z.uuid().nullable(),
  registrarId: z.uuid().nullable(),
  trackerId: z.uuid().nullable(),
  /** Who has access. */
  user: z.object({ id: z.uuid(), name: z.string(), username: z.string() }),
  level: shareLevel,
  createdAt: z.iso.datetime(),
})
export type Share = z.infer<typeof share>
export const shareAnswer = z.object({ share })

const targetIds = {
  groupId: z.uuid().optional(),
  accountId: z.uuid().optional(),
  registrarId: z.uuid().optional(),
  trackerId: z.uuid().optional(),
}
const exactlyOneTarget = (given: { readonly [Key in keyof typeof targetIds]?: string | undefined }) =>
  [given.groupId, given.accountId, given.registrarId, given.trackerId].filter((id) => id !== undefined).length === 1
const notOne = { error: 'required', path: ['groupId'] }

/** A group, an account, a registrar or a tracker, exactly one of them. */
export const listSharesInput = z.object(targetIds).refine(exactlyOneTarget, notOne)
export const createShareFields = z.object({
  /** Username or email of the person. */
  user: z.string({ error: 'required' }).trim().toLowerCase().min(1, 'required').max(254, 'too_long'),
  level: shareLevel,
})
export const createShareInput = createShareFields.extend(targetIds).refine(exactlyOneTarget, notOne)
export const shareIdInput = z.object({ id: z.uuid() })
export const updateShareInput = z.object({ id: z.uuid(), level: shareLevel })
