import { z } from 'zod'
import { possibleDay } from '#shared/instant.ts'
import { isPossibleName } from '#shared/possible-host.ts'
import { mostHostnames, originKeyTypes, originValidities } from './choices.ts'

const id = z.uuid()
const certificateId = z.uuid()

export const originCertificate = z.object({
  id: certificateId,
  /** Null while the outcome of issuing it is unknown. */
  serial: z.string().nullable(),
  hostnames: z.array(z.string()),
  /** `rsa` and `ecc` are signed for origin servers; other certificates of Origin CA have the provider's type. */
  type: z.string(),
  validityDays: z.int().nullable(),
  expiresAt: z.iso.datetime().nullable(),
  /** `unlisted`: Cloudflare no longer lists it, because it was revoked elsewhere; `unknown`: the response to issuing it was lost. */
  state: z.enum(['active', 'expired', 'unlisted', 'unknown']),
  /** Whether the panel keeps its private key. */
  hasKey: z.boolean(),
})
export type OriginCertificate = z.infer<typeof originCertificate>

export const originCertificatesInput = z.object({ id, fresh: z.boolean().default(false) })
export const originCertificatesAnswer = z.object({
  certificates: z.array(originCertificate),
  /** Null before they were read for the first time. */
  readAt: z.iso.datetime().nullable(),
})
export type OriginCertificates = z.infer<typeof originCertificatesAnswer>

export const originCertificateInput = z.object({ id, certificateId })
export const originCertificateAnswer = z.object({ certificate: originCertificate.extend({ pem: z.string().nullable() }) })

const hostname = z.string().trim().min(1).max(253).refine(isPossibleName, 'invalid_hostname')
const order = {
  id,
  hostnames: z.array(hostname).min(1).max(mostHostnames).optional(),
  validityDays: z.literal(originValidities).default(5475),
}
export const issueOriginCertificateInput = z.object({
  ...order,
  keyType: z.enum(originKeyTypes).default('rsa'),
  keepKey: z.boolean().default(false),
})
export const signOriginCertificateInput = z.object({ ...order, csr: z.string().trim().min(1).max(20_000) })

/** The only answer with the new key. */
export const issuedOriginCertificate = originCertificateAnswer.extend({ privateKey: z.string() })
export const revokeOriginCertificateInput = originCertificateInput.extend({ hostname: z.string().max(253).optional() })
export const originKey = z.object({ privateKey: z.string() })

export const listOriginCertificatesInput = z.object({
  ownerId: z.uuid().optional(),
  from: possibleDay.optional(),
  to: possibleDay.optional(),
  cursor: z.string().max(100).optional(),
  limit: z.int().min(1).max(500).default(100),
})
export const listOriginCertificatesOutput = z.object({
  certificates: z.array(originCertificate.extend({ zoneId: id, name: z.string(), displayName: z.string() })),
  nextCursor: z.string().nullable(),
})
