import { soonBeforeMs } from '#shared/expires-soon.ts'

/** Separate from the schema, because the form loads no schemas. */

/** In days, as Cloudflare permits them. */
export const originValidities = [7, 30, 90, 365, 730, 1095, 5475] as const
export const originKeyTypes = ['rsa', 'ecc'] as const
export const mostHostnames = 200

/** By the nearest expiry of a domain's certificates. */
export const originCertificateStates = ['none', 'valid', 'expires_soon', 'expired'] as const
export type OriginCertificateState = (typeof originCertificateStates)[number]

/** Unlike a domain's certificate, nothing renews it, and the new one must be installed by hand. */
const soonDays = 30
const dayMs = 86_400_000

/** From when on a certificate expires soon, in milliseconds since 1970. */
export const originSoonAtMs = (expiresAtMs: number, validityDays: number | null): number =>
  expiresAtMs - soonBeforeMs(validityDays === null ? null : validityDays * dayMs, soonDays)
