import { z } from 'zod'
import { hostName, id, optionalCount, optionalFlag, optionalId, optionalText, rowsOf } from '#server/integrations/trackers/tolerant.ts'

// Binom's API v2; sources and what is unconfirmed are in the README beside. Everything beside id and name may be missing.

/** `YYYY-MM-DD HH:mm:ss` of no zone; the beginning of 1970 stands where there is none. */
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
    /** Left out in the list of fewer fields. */
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
