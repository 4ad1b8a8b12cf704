/** Separate from the schema, because the form loads no schemas. */

/** In days, as Cloudflare permits them. */
export const originValidities = [7, 30, 90, 365, 730, 1095, 5475] as const
export const originKeyTypes = ['rsa', 'ecc'] as const
export const mostHostnames = 200

/** By the nearest expiry of a domain's certificates. */
export const originCertificateStates = ['none', 'valid', 'expires_soon', 'expired'] as const
export type OriginCertificateState = (typeof originCertificateStates)[number]

/** A certificate expires soon if fewer days are left: unlike a domain's, nothing renews it, and the key must be installed by hand. */
export const originSoonDays = 30
