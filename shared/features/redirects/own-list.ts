/** The panel's list at Cloudflare, and the `ref` of the rule that enables it. Other lists and rules are only counted. */
export const ownListName = 'zonedeck_redirects'
/** The `ref` of the single redirect of a domain that goes where the list of its account cannot send it. */
export const domainRuleRef = 'zonedeck_redirect'
