import type { Redirect } from '#shared/features/redirects/schema.ts'

/** The options of a redirect that can be on or off, in the order of Cloudflare's CSV files. */
export const redirectOptions = [
  'preserveQueryString',
  'includeSubdomains',
  'subpathMatching',
  'preservePathSuffix',
] as const satisfies readonly (keyof Redirect)[]

/** Those that have an effect: without subpaths there is no rest of the path. */
export const effectiveOptions = (redirect: Redirect): (typeof redirectOptions)[number][] =>
  redirectOptions.filter((option) => redirect[option] && (option !== 'preservePathSuffix' || redirect.subpathMatching))
