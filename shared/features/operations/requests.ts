import { z } from 'zod'
import { addIpRulesFields, ipAccessMode, ipAccessValues } from '#shared/features/domains/ip-access/schema.ts'
import { settingsPatch } from '#shared/features/domains/settings/schema.ts'

const atLeastOneSetting = z.strictObject(settingsPatch.shape).refine((patch) => Object.values(patch).some((value) => value !== undefined), {
  message: 'settings_empty',
})
export const address = z.union([z.ipv4(), z.ipv6()], 'invalid_ip')

export const settingsRequest = z.strictObject({ settings: atLeastOneSetting })
export const ipRequest = z.strictObject({ ipAddress: address, mode: z.enum(['replace', 'add']).default('replace') })
export const profileRequest = z.strictObject({
  /** Null: the domains are detached from their profile, whose rules are removed; settings and records stay. */
  profileId: z.uuid().nullable(),
  /** Cloudflare checks every rule by a dry run before anything of its domain is changed. */
  verify: z.boolean().optional(),
})
export const ipAccessAddRequest = z.strictObject(addIpRulesFields)
/** `mode`: only rules of this mode; null: of any. */
export const ipAccessDeleteRequest = z.strictObject({ values: ipAccessValues, mode: ipAccessMode.nullable().default(null) })
/** Turned on with the DS record, or off in an order in which the domain stays reachable. */
export const dnssecRequest = z.strictObject({ enabled: z.boolean() })
export const groupRequest = z.strictObject({ groupId: z.uuid().nullable() })
export const registrarRequest = z.strictObject({ registrarId: z.uuid().nullable() })
export const nothingRequest = z.strictObject({})
/** How a domain is bound in a tracker (R-TRK-03); fields that the tracker software does not support are omitted. */
export const trackerBindRequest = z.strictObject({
  trackerId: z.uuid(),
  /** The campaign on the index page; null: none yet. */
  campaignId: z.string().min(1).max(100).nullable().default(null),
  groupId: z.string().min(1).max(100).nullable().default(null),
  sslRedirect: z.boolean().default(false),
})
/** `archive: false`: the tracker is not called. */
export const trackerUnbindRequest = z.strictObject({ archive: z.boolean().default(true) })
/** Inputs for one domain's tracker; `id` is the panel's zone. Bulk changes are operations. */
export const zoneTrackerInput = z.strictObject({ id: z.uuid() })
export const bindZoneInput = trackerBindRequest.extend(zoneTrackerInput.shape)
/** In a query string `archive` is text. */
export const unbindZoneInput = zoneTrackerInput.extend(trackerUnbindRequest.shape)
/** Another domain replaces each of them; those without a given replacement get the next ready one from the reserve. */
export const replaceRequest = z.strictObject({
  pairs: z
    .array(z.strictObject({ zoneId: z.uuid(), reserveZoneId: z.uuid() }))
    .max(1_000)
    .default([]),
  reason: z.string().trim().min(1, 'required').max(500, 'too_long'),
  /** Archives the replaced domain in the tracker. */
  archive: z.boolean().default(true),
})
