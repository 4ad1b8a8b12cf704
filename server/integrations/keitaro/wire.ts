import { z } from 'zod'
import { hostName, id, optionalCount, optionalFlag, optionalId, optionalText, rowsOf } from '#server/integrations/trackers/tolerant.ts'

// Keitaro's Admin API v1; sources and unconfirmed parts are in the README of this folder. All fields except id and name are optional.

export const domains = rowsOf(
  z.looseObject({
    id,
    name: hostName,
    state: optionalText,
    network_status: optionalText,
    status: optionalText,
    default_campaign_id: optionalId,
    default_campaign: optionalText,
    campaigns_count: optionalCount,
    group_id: optionalId,
    group: optionalText,
    ssl_redirect: optionalFlag,
    ssl_status: optionalText,
    ssl_data: optionalText,
    error_description: optionalText,
    error_solution: optionalText,
  }),
)
export type Domain = z.output<typeof domains>[number]

export const campaigns = rowsOf(z.looseObject({ id, name: z.string(), state: optionalText, domain_id: optionalId }))
export const groups = rowsOf(z.looseObject({ id, name: z.string(), type: optionalText }))
/** Any type. */
export const anything = z.unknown()
