import type { FastifyInstance } from 'fastify'
import { isData } from '#server/http/own-paths.ts'

const policy = (directives: Readonly<Record<string, string>>) =>
  Object.entries(directives)
    .map(([name, value]) => `${name} ${value}`)
    .join('; ')

/** `scripts`: hashes of the inline scripts of a page, as `sha256-…`. */
export const contentSecurityPolicy = (scripts: readonly string[] = []) =>
  policy({
    'default-src': "'none'",
    'script-src': ["'self'", ...scripts.map((hash) => `'${hash}'`)].join(' '),
    // Mantine sets style attributes and adds style elements.
    'style-src': "'self' 'unsafe-inline'",
    'img-src': "'self' data:",
    'font-src': "'self'",
    'connect-src': "'self'",
    'manifest-src': "'self'",
    'base-uri': "'none'",
    'form-action': "'self'",
    'frame-ancestors': "'none'",
  })

export const commonHeaders = {
  'content-security-policy': contentSecurityPolicy(),
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'permissions-policy': 'camera=(), microphone=(), geolocation=(), payment=(), usb=()',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'x-dns-prefetch-control': 'off',
  'x-permitted-cross-domain-policies': 'none',
}

/** `https`: whether the panel's address uses HTTPS; only then HSTS may be sent. */
export function securityHeaders(app: FastifyInstance, https: boolean): void {
  const headers = https ? { ...commonHeaders, 'strict-transport-security': 'max-age=31536000; includeSubDomains' } : commonHeaders
  app.addHook('onRequest', (request, reply, done) => {
    void reply.headers(headers)
    if (isData(request)) void reply.header('cache-control', 'no-store')
    done()
  })
}
