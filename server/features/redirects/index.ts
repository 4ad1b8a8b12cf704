export { applyRedirects } from './apply-redirects.ts'
export type { RedirectChanges } from './apply-redirects.ts'
export type { DomainHosts } from './find-ineffective.ts'
export { planRedirectChange } from './plan-change.ts'
