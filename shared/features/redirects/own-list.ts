/** The panel's list at Cloudflare, and the `ref` of the rule that enables it. Other lists and rules are only counted. */
export const ownListName = 'zonedeck_redirects'
