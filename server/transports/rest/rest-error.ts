import { z } from 'zod'
import { errorCatalog } from '#shared/errors/codes.ts'
import type { ErrorCode } from '#shared/errors/codes.ts'

const codes = Object.keys(errorCatalog) as [ErrorCode, ...ErrorCode[]]

/** The body of every error response. */
export const restError = z.object({
  code: z.enum(codes),
  message: z.string().describe('English text for people'),
  params: z
    .record(z.string(), z.union([z.string(), z.number()]))
    .optional()
    .describe('Values of the message, such as retryAfterSeconds'),
  issues: z
    .array(z.object({ path: z.string().describe('Path of the field, for example `lines.3.email`'), message: z.string() }))
    .optional()
    .describe('Invalid fields of the input'),
  provider: z
    .object({ code: z.string().optional(), message: z.string(), pointer: z.string().optional() })
    .optional()
    .describe('Error of the provider: its code and original message'),
  requestId: z.string().describe('ID of the request, also in the `X-Request-Id` header and in the log of the panel'),
})
export type RestError = z.infer<typeof restError>

/** Statuses of existing routes; an unsupported method (405) is not part of the document. */
const ofAnyCall: readonly number[] = [400, 401, 403, 404, 422, 429, 500, 502, 503, 504]
const ofChanges: readonly number[] = [409, 413, 415]

/** The error statuses of a call. */
export const errorStatusesOf = (type: 'query' | 'mutation'): readonly number[] =>
  type === 'query' ? ofAnyCall : [...ofAnyCall, ...ofChanges].toSorted((a, b) => a - b)

/** The error codes with a status. */
export const codesOfStatus = (status: number): ErrorCode[] =>
  codes.filter((code) => errorCatalog[code].status === status || (status === 409 && code === 'provider_rejected'))
