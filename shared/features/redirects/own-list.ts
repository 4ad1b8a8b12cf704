/** The panel's list at Cloudflare, and the `ref` of the rule that enables it. Other lists and rules are only counted. */
export const ownListName = 'zonedeck_redirects'
/** The `ref` of the single redirect of a domain that goes where the list of its account cannot send it. */
export const domainRuleRef = 'zonedeck_redirect'
/** The phase of single redirects, which run before the lists of the account. */
export const redirectPhase = 'http_request_dynamic_redirect'

/** The single redirect of the panel among the rules of a domain. */
export const findDomainRule = <T extends { readonly ref: string | null }>(rules: readonly T[]): T | undefined =>
  rules.find(({ ref }) => ref === domainRuleRef)
