import { z } from 'zod'
import { settingsPatch } from '#shared/features/domains/settings/schema.ts'

const atLeastOneSetting = z.strictObject(settingsPatch.shape).refine((patch) => Object.values(patch).some((value) => value !== undefined), {
  message: 'settings_empty',
})
export const address = z.union([z.ipv4(), z.ipv6()], 'invalid_ip')

export const settingsRequest = z.strictObject({ settings: atLeastOneSetting })
export const ipRequest = z.strictObject({ ipAddress: address, mode: z.enum(['replace', 'add']).default('replace') })
export const profileRequest = z.strictObject({ profileId: z.uuid() })
export const groupRequest = z.strictObject({ groupId: z.uuid().nullable() })
export const registrarRequest = z.strictObject({ registrarId: z.uuid().nullable() })
export const nothingRequest = z.strictObject({})
/** How a domain is bound in a tracker (R-TRK-03); what its program is not able to set is left out. */
export const trackerBindRequest = z.strictObject({
  trackerId: z.uuid(),
  /** What the front page shows; null: nothing yet. */
  campaignId: z.string().min(1).max(100).nullable().default(null),
  groupId: z.string().min(1).max(100).nullable().default(null),
  sslRedirect: z.boolean().default(false),
})
/** `archive: false`: the tracker is not notified. */
export const trackerUnbindRequest = z.strictObject({ archive: z.boolean().default(true) })
/** Another domain takes the place of each; those that are not paired get the next one in reserve that is ready. */
export const replaceRequest = z.strictObject({
  pairs: z
    .array(z.strictObject({ zoneId: z.uuid(), reserveZoneId: z.uuid() }))
    .max(1_000)
    .default([]),
  reason: z.string().trim().min(1, 'required').max(500, 'too_long'),
  /** The domain that is replaced goes into the tracker's archive. */
  archive: z.boolean().default(true),
})
