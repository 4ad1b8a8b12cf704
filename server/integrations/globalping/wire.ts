import { z } from 'zod'

/** Globalping's API v1, from jsdelivr/globalping `public/v1/components/schemas.yaml`; only the used parts. Unknown values are ignored. */

export const created = z.object({ id: z.string(), probesCount: z.number() })

export const refusal = z.object({
  error: z.object({ type: z.string(), message: z.string(), params: z.record(z.string(), z.unknown()).optional() }),
})

const ms = z.number().nullish()

const certificate = z.object({
  authorized: z.boolean(),
  error: z.string().optional(),
  createdAt: z.iso.datetime({ offset: true }),
  expiresAt: z.iso.datetime({ offset: true }),
  subject: z.object({ CN: z.string().nullish(), alt: z.string().nullish() }),
  issuer: z.object({ O: z.string().nullish(), CN: z.string().nullish() }),
  fingerprint256: z.string(),
})
export type Certificate = z.infer<typeof certificate>

const finished = z.object({
  status: z.literal('finished'),
  statusCode: z.number(),
  headers: z.record(z.string(), z.unknown()),
  rawBody: z.string().nullable(),
  truncated: z.boolean(),
  resolvedAddress: z.string().nullable(),
  timings: z.object({ total: ms, dns: ms, tcp: ms, tls: ms, firstByte: ms }),
  tls: certificate.nullable(),
})
export type Finished = z.infer<typeof finished>

/** Experimental; missing in older responses. */
const failed = z.object({
  status: z.literal('failed'),
  rawOutput: z.string(),
  failureSource: z.string().nullish(),
  resolvedAddress: z.string().nullish(),
})
export type Failed = z.infer<typeof failed>

const other = z.object({ status: z.string() }).transform(({ status }) => ({ status: 'other' as const, was: status }))

export const measurement = z.object({
  status: z.string(),
  results: z.array(z.object({ probe: z.object({ continent: z.string() }), result: z.union([finished, failed, other]) })),
})
export type TestResult = z.infer<typeof measurement>['results'][number]['result']
