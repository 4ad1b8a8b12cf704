import { z } from 'zod'
import { reasonCodes } from './reasons.ts'

const count = z.int().nonnegative()

/** From where a domain is looked at. The first three are the default (R-MON-01). */
export const region = z.enum(['EUROPE', 'NORTH_AMERICA', 'ASIA', 'SOUTH_AMERICA', 'AFRICA', 'OCEANIA'])
export type Region = z.infer<typeof region>
export const defaultRegions: readonly Region[] = ['EUROPE', 'NORTH_AMERICA', 'ASIA']

/** Minutes between two checks of a domain from one region. */
export const interval = z.int().min(1).max(1440)

const statusRange = z
  .object({ from: z.int().min(100).max(599), to: z.int().min(100).max(599) })
  .refine(({ from, to }) => from <= to, 'monitoring_status_range')

/** How a domain is asked. */
export const checkOptions = z.object({
  /** Of the address that is asked for; `/` is the root. */
  path: z
    .string()
    .max(1024)
    .regex(/^\/[\x21-\x7e]*$/, 'monitoring_path'),
  /** Must be in the first 256 KiB of the answer; null: whatever it says. */
  keyword: z.string().trim().min(1).max(255).nullable(),
  /** An answer with one of these is a good one. */
  expectedStatus: z.array(statusRange).min(1).max(20),
  followRedirects: z.boolean(),
  timeoutSeconds: z.int().min(1).max(30),
  /** Failures one after another before a domain counts as down in a region. */
  failuresToDown: z.int().min(1).max(10),
  /** Successes one after another before it counts as up again. */
  successesToUp: z.int().min(1).max(10),
  /** Regions that must find it down before it counts as down; null: more than half of those that can decide. */
  downRegions: z.int().min(1).max(6).nullable(),
  /** An answer that takes longer is slow; null: longer than half of the time-out. */
  slowMs: z.int().min(100).max(30_000).nullable(),
  /** A warning comes so many days before a certificate expires. */
  certificateDays: z.int().min(1).max(90),
  /** A warning comes so many days before a domain expires that does not renew automatically. */
  expiryDays: z.int().min(1).max(365),
  /** And before one that should have renewed automatically by then. */
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
  // Authorities' clients renew a month before the end: two weeks before it something has gone wrong.
  certificateDays: 14,
  expiryDays: 30,
  expiryDaysAutoRenew: 7,
}

/** Which alerts are reported. */
export const notices = z.object({ statusChange: z.boolean(), dnsMismatch: z.boolean(), sslIssues: z.boolean(), recovery: z.boolean() })
export type Notices = z.infer<typeof notices>

/** `22:00` to `07:30` of a time zone: what is not critical waits for the end of it. */
export const quietHours = z.object({
  from: z.iso.time({ precision: -1 }),
  to: z.iso.time({ precision: -1 }),
  timeZone: z.string().min(1).max(64),
})
export type QuietHours = z.infer<typeof quietHours>

export const reasonCode = z.enum(reasonCodes)
export type { ReasonCode } from './reasons.ts'

/** Parameters are plain words of the world (an address, a status, days), never texts in a language. */
export const reason = z.object({
  code: reasonCode,
  params: z.record(z.string(), z.union([z.string(), z.number()])),
  /** Seen from there; empty: it does not depend on the place. */
  regions: z.array(region),
})
export type Reason = z.infer<typeof reason>

export const timings = z.object({
  /** Milliseconds each; null: it did not come to that. `firstByteMs` from the request sent. */
  dnsMs: count.nullable(),
  connectMs: count.nullable(),
  tlsMs: count.nullable(),
  firstByteMs: count.nullable(),
  totalMs: count.nullable(),
})
export type Timings = z.infer<typeof timings>

export const health = z.enum(['ok', 'warnings', 'critical', 'unknown'])
/** In a region. */
export const viewState = z.enum(['up', 'down', 'unknown'])
