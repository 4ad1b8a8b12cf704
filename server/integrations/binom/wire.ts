import { z } from 'zod'
import { hostName, id, optionalCount, optionalFlag, optionalId, optionalText, rowsOf } from '#server/integrations/trackers/tolerant.ts'

// Binom's API v2; sources and unconfirmed parts are in the README of this folder. All fields except id and name are optional.

/** `YYYY-MM-DD HH:mm:ss` without a time zone; the start of 1970 means none. */
const moment = optionalText.transform((text) => (text === null || text.startsWith('1970-01-01') ? null : text))

/** One list calls the name `domain`, the other one `host`. */
const domain = z
  .looseObject({
    id,
    domain: hostName.nullish(),
    host: hostName.nullish(),
    isBanned: optionalFlag,
    isSsl: optionalFlag,
    expiresAt: moment,
    certificateError: optionalText,
    checkError: optionalText,
    /** Missing in the shorter list. */
    indexPage: z
      .unknown()
      .transform((value) => (value === undefined ? undefined : optionalId.parse(value)))
      .optional(),
    campaignName: optionalText,
    campaignsCount: optionalCount,
  })
  .transform((row, context) => {
    const name = row.domain ?? row.host
    if (name !== null && name !== undefined) return { ...row, name }
    context.addIssue({ code: 'custom', message: 'no name' })
    return z.NEVER
  })
export const domains = rowsOf(domain)
export type Domain = z.output<typeof domain>

export const campaigns = rowsOf(z.looseObject({ id, name: z.string(), domainUuid: optionalId }))
export const anything = z.unknown()
