import { z } from 'zod'
import { operationPreview, operationTarget } from '#shared/features/operations/schema.ts'
import { redirectIssues } from './issues.ts'
import type { RedirectIssue } from './issues.ts'
import { mostSlashes, parseSource, parseTarget, writeSource } from './redirect-url.ts'

/** Rows of one import, and redirects of one account. */
export const mostRedirects = 100_000

export const redirectStatus = z.literal([301, 302, 307, 308])
export type RedirectStatus = z.infer<typeof redirectStatus>

export const redirectIssue = z.enum(redirectIssues)

/** A redirect of an account: requests of the source go to the target. */
export const redirect = z.object({
  /** Host and path, with `http://` or `https://` if it only matches that. */
  source: z.string(),
  target: z.string(),
  status: redirectStatus,
  preserveQueryString: z.boolean(),
  includeSubdomains: z.boolean(),
  /** Also matches all paths below that of the source. */
  subpathMatching: z.boolean(),
  /** The path below that of the source is appended to the target. */
  preservePathSuffix: z.boolean(),
})
export type Redirect = z.infer<typeof redirect>

/** A redirect as entered; its source is normalized. */
export const redirectInput = z
  .strictObject({
    source: z.string(),
    target: z.string().trim(),
    status: redirectStatus.default(301),
    preserveQueryString: z.boolean().default(false),
    includeSubdomains: z.boolean().default(false),
    subpathMatching: z.boolean().default(false),
    preservePathSuffix: z.boolean().default(false),
  })
  .transform((given, context): Redirect => {
    const { source, issues } = checkRedirect(given)
    for (const { field, issue } of issues) context.addIssue({ code: 'custom', path: [field], message: issue, input: given[field] })
    return { ...given, source }
  })

interface FieldIssue {
  readonly field: 'source' | 'target'
  readonly issue: RedirectIssue
}

/** The normalized source, and what is wrong with the redirect: at most one issue for each field. */
export function checkRedirect(given: Pick<Redirect, 'source' | 'target' | 'subpathMatching' | 'preserveQueryString'>): {
  readonly source: string
  readonly issues: readonly FieldIssue[]
} {
  const issues: FieldIssue[] = []
  const source = parseSource(given.source)
  if ('issue' in source) issues.push({ field: 'source', issue: source.issue })
  else if (given.subpathMatching && source.path.split('/').length - 1 > mostSlashes)
    issues.push({ field: 'source', issue: 'source_slashes' })
  const target = parseTarget(given.target)
  if ('issue' in target) issues.push({ field: 'target', issue: target.issue })
  else if (given.preserveQueryString && target.hasQuery) issues.push({ field: 'target', issue: 'target_query' })
  return { source: 'issue' in source ? given.source : writeSource(source), issues }
}

/** Whether two redirects of the same source do the same. */
export const isSameRedirect = (one: Redirect, other: Redirect): boolean =>
  one.target === other.target &&
  one.status === other.status &&
  one.preserveQueryString === other.preserveQueryString &&
  one.includeSubdomains === other.includeSubdomains &&
  one.subpathMatching === other.subpathMatching &&
  // Without subpath matching there is no path to append.
  (!one.subpathMatching || one.preservePathSuffix === other.preservePathSuffix)

// ---- the redirects of an account

/** Redirects of an account by plan. Source: the availability table of Bulk Redirects in developers.cloudflare.com. */
export const redirectLimits = { free: 10_000, pro: 25_000, business: 50_000, enterprise: 1_000_000 } as const

export const listRedirectsInput = z.object({
  id: z.uuid(),
  search: z.string().trim().max(255).optional(),
  cursor: z.string().max(500).optional(),
  limit: z.coerce.number().int().min(1).max(1_000).default(100),
})
const count = z.int()
export const redirectList = z.object({
  /** In the panel's list at Cloudflare. */
  count,
  /** In other lists of the account, which the panel does not change. */
  othersCount: count,
  /** How many redirects the account's best plan permits. */
  limit: count,
  /** The rule that makes the list effective: not created yet, on, or switched off at Cloudflare. */
  rule: z.enum(['absent', 'enabled', 'disabled']),
  readAt: z.iso.datetime(),
})
export type RedirectList = z.infer<typeof redirectList>
export const listRedirectsOutput = z.object({
  list: redirectList,
  redirects: z.array(redirect),
  /** The number of redirects that match the search. */
  matches: count,
  nextCursor: z.string().nullable(),
})

export const redirectAccountInput = z.object({ id: z.uuid() })
export const refreshRedirectsOutput = z.object({ list: redirectList })
export const exportRedirectsOutput = z.object({ name: z.string(), csv: z.string() })

export const testRedirectInput = z.object({ id: z.uuid(), url: z.string().trim().min(1, 'required').max(2_048, 'too_long') })
/** Where a request ends. */
export const redirectTest = z.object({
  /** The addresses that redirect, in order, with what decides. */
  hops: z.array(
    z.object({
      url: z.string(),
      /** The source of the redirect, or the description of the domain's rule. */
      by: z.string(),
      kind: z.enum(['redirect', 'rule']),
      /** The list at Cloudflare that has the redirect; null for a rule. */
      list: z.string().nullable(),
      status: count,
    }),
  ),
  end: z.string(),
  isLoop: z.boolean(),
  /** The account's domain of the URL; null: it is not in the account, so nothing redirects it. */
  domain: z.string().nullable(),
  /** The redirect that would decide next if the rule of its list were not missing or switched off at Cloudflare. */
  inactive: z.object({ source: z.string(), rule: z.enum(['absent', 'disabled']) }).nullable(),
  /**
   * Why the result is not certain: the first domain with rules that cannot be evaluated for an address, or that were not read, or the
   * other lists of the account could not be read.
   */
  uncertain: z
    .object({
      domain: z.string(),
      reason: z.enum(['rules_not_read', 'rule_not_evaluated', 'page_rule', 'lists_not_read']),
      rule: z.string().nullable(),
    })
    .nullable(),
})
export type RedirectTest = z.infer<typeof redirectTest>

// ---- preview of a change

/** `replace`: redirects that the file lacks are removed. */
export const redirectImportMode = z.enum(['merge', 'replace'])

export const previewRedirectsInput = z
  .strictObject({
    id: z.uuid(),
    /** Source, target and optionally status, query string, subdomains, subpaths and path suffix, one redirect a line. */
    csv: z.string().max(8_000_000).optional(),
    mode: redirectImportMode.default('merge'),
    put: z.array(redirectInput).max(1_000).default([]),
    /** Sources of redirects. */
    remove: z.array(z.string().min(1).max(32_768)).max(1_000).default([]),
    /** Also create a proxied record for each hostname of `missingRecords`. */
    createRecords: z.boolean().default(false),
  })
  .superRefine(({ csv, put, remove }, context) => {
    if (csv === undefined && put.length + remove.length === 0)
      context.addIssue({ code: 'custom', path: ['csv'], message: 'required', input: csv })
  })

/** How many there are, and the first of them. */
const sample = <T extends z.ZodType>(item: T) => z.object({ count, first: z.array(item) })
export const redirectLineError = z.object({
  line: count,
  issue: redirectIssue,
  /** The line that already has this source. */
  firstLine: count.optional(),
})
export const redirectPreview = z.object({
  added: count,
  changed: count,
  removed: count,
  unchanged: count,
  /** The first of those that are added, changed and removed. */
  first: z.object({
    added: z.array(redirect),
    changed: z.array(z.object({ before: redirect, after: redirect })),
    removed: z.array(redirect),
  }),
  /** Redirects in the list afterwards. */
  count,
  othersCount: count,
  limit: count,
  lineErrors: sample(redirectLineError),
  loops: sample(z.object({ source: z.string(), next: z.string() })),
  chains: sample(z.object({ source: z.string(), next: z.string() })),
  /** Redirects whose targets a rule of a domain may redirect again: more than the address decides, so that it is not followed. */
  uncertain: sample(z.object({ source: z.string(), next: z.string() })),
  /** Loops and chains were not looked for, because it would have taken too long. */
  unchecked: z.boolean(),
  /** Sources of domains that are not in the account: they redirect nothing. */
  foreign: sample(z.string()),
  /** Sources of hostnames without a DNS record: requests do not pass through Cloudflare. Empty if the change creates the records. */
  unproxied: sample(z.string()),
  /** Hostnames of the sources that have no record, so that a proxied one can be created; also those of `unreadRecords`. */
  missingRecords: sample(z.string()),
  /** Hostnames of domains whose records were never read. A record is created unless there is one when the change runs. */
  unreadRecords: sample(z.string()),
  /** Hostnames of the sources with a record that is DNS only. It is never changed. */
  dnsOnly: sample(z.string()),
})
export type RedirectPreview = z.infer<typeof redirectPreview>

/** Without a draft if nothing is to be changed. */
export const previewRedirectsOutput = z.object({ summary: redirectPreview, preview: operationPreview.nullable() })

// ---- redirecting whole domains

/** Each domain gets one redirect in the list of its account, or a single redirect of its own if the list has no room or cannot be used. */
export const previewDomainRedirectsInput = z
  .strictObject({
    target: operationTarget,
    /** Where they lead. */
    url: z.string().trim(),
    status: redirectStatus.default(301),
    /** Append the path of the request. */
    keepPath: z.boolean().default(true),
    keepQuery: z.boolean().default(true),
    includeSubdomains: z.boolean().default(true),
    createRecords: z.boolean().default(true),
  })
  .superRefine(({ url, keepQuery }, context) => {
    const { issues } = checkRedirect({ source: 'a.example', target: url, subpathMatching: true, preserveQueryString: keepQuery })
    for (const { issue } of issues) context.addIssue({ code: 'custom', path: ['url'], message: issue, input: url })
  })

/** What the change does to the list of an account. */
export const accountRedirects = z.object({
  accountId: z.uuid(),
  account: z.string(),
  /** How many of the domains are in the account. */
  domains: count,
  added: count,
  /** Domains that already have a redirect, which is replaced. */
  changed: count,
  unchanged: count,
  /** Domains that get a single redirect of their own instead, because the list has no room or cannot be used. */
  rules: count,
  /** Domains whose own single redirect is changed, because it decides before the list. */
  ruleUpdates: count,
  /** Redirects of the account afterwards, and how many its plan permits; null if the list cannot be used. */
  used: count.nullable(),
  limit: count.nullable(),
  /** Why the list is not used for some or all of the domains; null if it is. Without `rules` they are skipped. */
  refused: z.string().nullable(),
  /** The provider's own message. */
  message: z.string().nullable(),
})
export type AccountRedirects = z.infer<typeof accountRedirects>

export const previewDomainRedirectsOutput = operationPreview.extend({
  accounts: z.array(accountRedirects),
  missingRecords: sample(z.string()),
  dnsOnly: sample(z.string()),
})
