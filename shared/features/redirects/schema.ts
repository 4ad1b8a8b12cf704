import { z } from 'zod'
import { mostSlashes, parseSource, parseTarget, writeSource } from './redirect-url.ts'

/** Rows of one import, and redirects of one account. */
export const mostRedirects = 100_000

export const redirectStatus = z.literal([301, 302, 307, 308])
export type RedirectStatus = z.infer<typeof redirectStatus>

/** Why a redirect or a line of an import is not accepted. */
export const redirectIssue = z.enum([
  'source_required',
  'source_invalid',
  'source_scheme',
  'source_credentials',
  'source_port',
  'source_query',
  'source_fragment',
  'source_wildcard',
  'source_too_long',
  'source_slashes',
  'target_required',
  'target_incomplete',
  'target_invalid',
  'target_scheme',
  'target_too_long',
  'target_query',
  'status_invalid',
  'flag_invalid',
  'columns_invalid',
  'quote_open',
  'duplicate_source',
])
export type RedirectIssue = z.infer<typeof redirectIssue>

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
