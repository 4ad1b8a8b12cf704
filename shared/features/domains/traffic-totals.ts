import { z } from 'zod'
import { ownership } from '#shared/features/sharing/schema.ts'

export const trafficTotalsBy = z.enum(['account', 'group'])
export type TrafficTotalsBy = z.infer<typeof trafficTotalsBy>

export const trafficTotalsInput = z.object({
  by: trafficTotalsBy.default('group'),
  /** Administrators see all owners; this filters by one. */
  ownerId: z.uuid().optional(),
  ownership: ownership.optional(),
})

const trafficSum = z.object({
  requests: z.number(),
  bytes: z.number(),
  threats: z.number(),
  /** Requests that were answered with a status from 400 to 499, and from 500 on. */
  clientErrors: z.number(),
  serverErrors: z.number(),
})

/** The traffic of the domains of an account or a group that was read. */
const trafficTotal = z.object({
  /** Null: domains without a group. */
  id: z.uuid().nullable(),
  /** The account's name, or else its email; or the group's. */
  name: z.string().nullable(),
  domains: z.int(),
  /** The last whole day in UTC, as last read; the last seven; and 30 days including the last, unfinished one. */
  day: trafficSum,
  week: trafficSum,
  month: trafficSum,
  /** The requests of each of the 30 days, the oldest first: a digit from 0, none, to 9, as many as on the busiest day. */
  trend: z.string(),
  /** When the domain that waited longest was read. */
  readAt: z.iso.datetime(),
})
export type TrafficTotal = z.infer<typeof trafficTotal>
/** Those with the most requests in 30 days first. */
export const trafficTotalsOutput = z.object({ totals: z.array(trafficTotal) })
