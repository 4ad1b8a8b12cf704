import { z } from 'zod'
import { reasonCodes } from './reasons.ts'
import { regions } from './regions.ts'

const count = z.int().nonnegative()

export const region = z.enum(regions)
export type Region = z.infer<typeof region>

/** Minutes between two checks of a domain from one region. */
export const interval = z.int().min(1).max(1440)

const statusRange = z
  .object({ from: z.int().min(100).max(599), to: z.int().min(100).max(599) })
  .refine(({ from, to }) => from <= to, 'monitoring_status_range')

/** How a domain is checked. */
export const checkOptions = z.object({
  /** The path of the requested URL; `/` is the root. */
  path: z
    .string()
    .max(1024)
    .regex(/^\/[\x21-\x7e]*$/, 'monitoring_path'),
  /** Must appear in the first 256 KiB of the response; null accepts any content. */
  keyword: z.string().trim().min(1).max(255).nullable(),
  /** A response with one of these status codes is good. */
  expectedStatus: z.array(statusRange).min(1).max(20),
  followRedirects: z.boolean(),
  timeoutSeconds: z.int().min(1).max(30),
  /** Consecutive failures until a domain counts as down in a region. */
  failuresToDown: z.int().min(1).max(10),
  /** Consecutive successes until it counts as up again. */
  successesToUp: z.int().min(1).max(10),
  /** Regions that must find it down before it counts as down; null: more than half of those with a conclusive result. */
  downRegions: z.int().min(1).max(6).nullable(),
  /** A response that takes longer is slow; null: longer than half of the timeout. */
  slowMs: z.int().min(100).max(30_000).nullable(),
  /** Days before the expiry of a certificate at which a warning is raised. */
  certificateDays: z.int().min(1).max(90),
  /** Days before the expiry of a domain without automatic renewal at which a warning is raised. */
  expiryDays: z.int().min(1).max(365),
  /** The same for a domain that should have renewed automatically by then. */
  expiryDaysAutoRenew: z.int().min(1).max(365),
})
export type CheckOptions = z.infer<typeof checkOptions>
export const defaultCheckOptions: CheckOptions = {
  path: '/',
  keyword: null,
  expectedStatus: [{ from: 200, to: 399 }],
  followRedirects: true,
  timeoutSeconds: 10,
  failuresToDown: 2,
  successesToUp: 2,
  downRegions: null,
  slowMs: null,
  // ACME clients renew a month before expiry, so two weeks before it something has gone wrong.
  certificateDays: 14,
  expiryDays: 30,
  expiryDaysAutoRenew: 7,
}

/** Which alerts are sent. */
export const notices = z.object({
  statusChange: z.boolean(),
  dnsMismatch: z.boolean(),
  sslIssues: z.boolean(),
  traffic: z.boolean(),
  recovery: z.boolean(),
})
export type Notices = z.infer<typeof notices>
/** Settings that were stored before a kind existed lack it. */
export const allNotices: Notices = { statusChange: true, dnsMismatch: true, sslIssues: true, traffic: true, recovery: true }

/** `22:00` to `07:30` in a time zone: non-critical alerts wait until the end. */
export const quietHours = z.object({
  from: z.iso.time({ precision: -1 }),
  to: z.iso.time({ precision: -1 }),
  timeZone: z.string().min(1).max(64),
})
export type QuietHours = z.infer<typeof quietHours>

export const reasonCode = z.enum(reasonCodes)
export type { ReasonCode } from './reasons.ts'

/** Parameters are plain values (an address, a status, days), never translated texts. */
export const reason = z.object({
  code: reasonCode,
  params: z.record(z.string(), z.union([z.string(), z.number()])),
  /** The regions that found it; empty if it does not depend on the region. */
  regions: z.array(region),
})
export type Reason = z.infer<typeof reason>

export const timings = z.object({
  /** Each in milliseconds; null if the phase was not reached. `firstByteMs` counts from the sent request. */
  dnsMs: count.nullable(),
  connectMs: count.nullable(),
  tlsMs: count.nullable(),
  firstByteMs: count.nullable(),
  totalMs: count.nullable(),
})
export type Timings = z.infer<typeof timings>

export const health = z.enum(['ok', 'warnings', 'critical', 'unknown'])
/** The state in one region. */
export const viewState = z.enum(['up', 'down', 'unknown'])
