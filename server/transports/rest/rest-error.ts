import { z } from 'zod'
import { errorCatalogue } from '#shared/errors/codes.ts'
import type { ErrorCode } from '#shared/errors/codes.ts'

const codes = Object.keys(errorCatalogue) as [ErrorCode, ...ErrorCode[]]

/** The body of every answer that is no success. */
export const restError = z.object({
  code: z.enum(codes),
  message: z.string().describe('In English, for people'),
  params: z
    .record(z.string(), z.union([z.string(), z.number()]))
    .optional()
    .describe('Values of the message, such as retryAfterSeconds'),
  issues: z
    .array(z.object({ path: z.string().describe('The field, dotted: lines.3.email'), message: z.string() }))
    .optional()
    .describe('What is wrong with the input'),
  provider: z
    .object({ code: z.string().optional(), message: z.string(), pointer: z.string().optional() })
    .optional()
    .describe('What Cloudflare said, in its own words'),
  requestId: z.string().describe('The same as in the header X-Request-Id'),
})
export type RestError = z.infer<typeof restError>

/** Of a route that is there; a method that is not (405) has no description that could name it. */
const ofAnyCall: readonly number[] = [400, 401, 403, 404, 422, 429, 500, 502, 503, 504]
const ofChanges: readonly number[] = [409, 413, 415]

/** The statuses that a call may fail with. */
export const errorStatusesOf = (type: 'query' | 'mutation'): readonly number[] =>
  type === 'query' ? ofAnyCall : [...ofAnyCall, ...ofChanges].toSorted((a, b) => a - b)

/** The codes that are answered with a status. */
export const codesOfStatus = (status: number): ErrorCode[] =>
  codes.filter((code) => errorCatalogue[code].status === status || (status === 409 && code === 'provider_rejected'))
