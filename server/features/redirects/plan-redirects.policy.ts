import { parseRedirects } from '#shared/features/redirects/csv.ts'
import type { RedirectLineError } from '#shared/features/redirects/csv.ts'
import { checkRedirects, indexRedirects } from '#shared/features/redirects/graph.ts'
import type { RedirectFinding } from '#shared/features/redirects/graph.ts'
import { parseTarget } from '#shared/features/redirects/redirect-url.ts'
import { checkRedirect, isSameRedirect } from '#shared/features/redirects/schema.ts'
import type { Redirect } from '#shared/features/redirects/schema.ts'

export interface RedirectOrder {
  readonly csv: string | undefined
  readonly mode: 'merge' | 'replace'
  readonly put: readonly Redirect[]
  readonly remove: readonly string[]
  /** The account's redirects. */
  readonly current: readonly Redirect[]
  /** Redirects of other accounts that a visit can go through. */
  readonly others: readonly Redirect[]
}

export interface RedirectPlan {
  readonly puts: readonly { readonly before: Redirect | null; readonly after: Redirect }[]
  readonly deletes: readonly Redirect[]
  /** The sources of wanted redirects that the account has already. */
  readonly unchanged: readonly string[]
  /** The hosts that saved redirects lead to. */
  readonly targetHosts: readonly string[]
  readonly lineErrors: readonly RedirectLineError[]
  readonly isTooLong: boolean
  /** A source that is both to be saved and to be removed. */
  readonly contradictory: string | null
  /** Loops and chains that the change causes. */
  readonly findings: readonly RedirectFinding[]
  /** False: checking for loops and chains would have taken too long. */
  readonly isChecked: boolean
}

/** What a file or single changes do to the redirects of an account. */
export function planRedirects({ csv, mode, put, remove, current, others }: RedirectOrder): RedirectPlan {
  const { redirects, lineErrors, isTooLong } = csv === undefined ? { redirects: [], lineErrors: [], isTooLong: false } : parseRedirects(csv)
  const now = new Map(current.map((redirect) => [checkRedirect(redirect).source, redirect]))
  const next = new Map(csv !== undefined && mode === 'replace' ? [] : now)
  const puts: { before: Redirect | null; after: Redirect }[] = []
  const unchanged: string[] = []
  for (const redirect of new Map([...redirects, ...put].map((each) => [each.source, each])).values()) {
    const before = now.get(redirect.source) ?? null
    // Cloudflare compares sources as they are written.
    const after = before === null ? redirect : { ...redirect, source: before.source }
    next.set(redirect.source, after)
    if (before !== null && isSameRedirect(before, after)) unchanged.push(before.source)
    else puts.push({ before, after })
  }
  const wanted = new Set([...redirects, ...put].map(({ source }) => source))
  let contradictory: string | null = null
  for (const given of remove) {
    const { source } = checkRedirect({ source: given, target: '', subpathMatching: false, preserveQueryString: false })
    if (wanted.has(source)) contradictory ??= source
    next.delete(source)
  }
  const deletes = [...now].filter(([source]) => !next.has(source)).map(([, redirect]) => redirect)
  const targetHosts = new Set(
    puts.flatMap(({ after }) => {
      const target = parseTarget(after.target)
      return 'issue' in target ? [] : [target.host]
    }),
  )
  return {
    puts,
    deletes,
    unchanged,
    targetHosts: [...targetHosts],
    lineErrors,
    isTooLong,
    contradictory,
    ...findingsOf([...next.values()], current, others),
  }
}

function findingsOf(
  next: readonly Redirect[],
  current: readonly Redirect[],
  others: readonly Redirect[],
): Pick<RedirectPlan, 'findings' | 'isChecked'> {
  const keyOf = ({ source, kind, next: to }: RedirectFinding) => `${kind} ${source} ${to}`
  const [before, after] = [indexRedirects([...current, ...others]), indexRedirects([...next, ...others])]
  const known = new Set(checkRedirects(before).map(keyOf))
  const foreign = new Set(others.map(({ source }) => source))
  for (const { source } of next) foreign.delete(source)
  const findings = checkRedirects(after).filter((finding) => !known.has(keyOf(finding)) && !foreign.has(finding.source))
  if (before.isExhausted() || after.isExhausted()) return { findings: [], isChecked: false }
  return { findings, isChecked: true }
}
