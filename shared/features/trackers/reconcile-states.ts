/**
 * Where they differ. `not_in_cloudflare`: in a tracker but in no account. `not_linked`: in both, but not bound here. `not_bound`: in Cloudflare,
 * but in no tracker. `address_differs`: bound, but its records bypass the tracker. `ssl_error`, `check_error`: reported by the tracker.
 * `gone_there`: bound here, but deleted or archived in the tracker. In the order of their tiles: the most serious first.
 */
export const reconcileStates = [
  'not_in_cloudflare',
  'not_linked',
  'not_bound',
  'address_differs',
  'ssl_error',
  'check_error',
  'gone_there',
  'agreed',
] as const
