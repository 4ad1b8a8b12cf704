import { z } from 'zod'
import { ownership, sharedWithMe } from '#shared/features/sharing/schema.ts'
import { groupIcons } from './icons.ts'
import { namePattern } from '#shared/text.ts'

export const group = z.object({
  id: z.uuid(),
  ownerId: z.uuid(),
  /** The owner's name, for administrators. */
  ownerName: z.string(),
  shared: sharedWithMe,
  /** The number of users it is shared with; 0 for those users themselves. */
  sharedWith: z.int(),
  name: z.string(),
  description: z.string().nullable(),
  icon: z.string().nullable(),
  /** `#rrggbb` */
  color: z.string().nullable(),
  zonesCount: z.int(),
  createdAt: z.iso.datetime(),
})
export type Group = z.infer<typeof group>
export const groupAnswer = z.object({ group })

export const groupName = z
  .string({ error: 'required' })
  .trim()
  .min(1, 'required')
  .max(100, 'too_long')
  .regex(namePattern, 'invalid_characters')
/** Can have several lines. */
export const groupDescription = z
  .string()
  .trim()
  .max(500, 'too_long')
  .regex(/^(?:\P{Cc}|[\t\r\n])*$/u, 'invalid_characters')
/** Empty means none. */
export const groupColor = z
  .string()
  .trim()
  .toLowerCase()
  .regex(/^(?:#(?:[\da-f]{3}|[\da-f]{6}))?$/, 'invalid_color')
  .transform((color) => (color.length === 4 ? color.replace(/[\da-f]/g, '$&$&') : color))
export const groupIcon = z.enum(groupIcons, { error: 'invalid_value' })

export const createGroupInput = z.object({
  name: groupName,
  description: groupDescription.nullable().optional(),
  icon: groupIcon.nullable().optional(),
  color: groupColor.nullable().optional(),
})
export type GroupFields = z.output<typeof createGroupInput>

export const groupIdInput = z.object({ id: z.uuid() })
/** An absent field is unchanged; null or empty clears it. */
export const updateGroupInput = createGroupInput.partial().extend({ id: z.uuid() })
export type GroupChanges = z.output<typeof updateGroupInput>

export const listGroupsInput = z.object({ ownerId: z.uuid().optional(), ownership: ownership.optional() })

export const groupZonesInput = z.object({ id: z.uuid(), zoneIds: z.array(z.uuid()).min(1, 'no_valid_items').max(100_000) })
