import { z } from 'zod'
import { shareLevels } from './rules.ts'

/**
 * `view`: see everything except secrets. `operate`: also change settings and records, set name servers at a registrar, and bind domains in a
 * tracker. `manage`: also add and delete domains, change the group, and rename the account, registrar or tracker.
 */
export const shareLevel = z.enum(shareLevels, { error: 'invalid_value' })
export type ShareLevel = z.infer<typeof shareLevel>

/** How a resource is shared with the user; null if it is their own or they are an administrator. */
export const sharedWithMe = z.object({ by: z.string(), level: shareLevel }).nullable()
export type SharedWithMe = z.infer<typeof sharedWithMe>

/** Lists show both own and shared resources; this filters by one. */
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

/** Exactly one of a group, an account, a registrar or a tracker. */
export const listSharesInput = z.object(targetIds).refine(exactlyOneTarget, notOne)
export const createShareFields = z.object({
  /** Username or email of the recipient. */
  user: z.string({ error: 'required' }).trim().toLowerCase().min(1, 'required').max(254, 'too_long'),
  level: shareLevel,
})
export const createShareInput = createShareFields.extend(targetIds).refine(exactlyOneTarget, notOne)
export const shareIdInput = z.object({ id: z.uuid() })
export const updateShareInput = z.object({ id: z.uuid(), level: shareLevel })
