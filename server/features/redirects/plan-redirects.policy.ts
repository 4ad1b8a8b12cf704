import { parseRedirects } from '#shared/features/redirects/csv.ts'
import type { RedirectLineError } from '#shared/features/redirects/csv.ts'
import { checkRedirects, indexRedirects } from '#shared/features/redirects/graph.ts'
import type { RedirectFinding } from '#shared/features/redirects/graph.ts'
import { checkRedirect, isSameRedirect } from '#shared/features/redirects/schema.ts'
import type { Redirect } from '#shared/features/redirects/schema.ts'

export interface RedirectOrder {
  readonly csv: string | undefined
  readonly mode: 'merge' | 'replace'
  readonly put: readonly Redirect[]
  readonly remove: readonly string[]
  /** The account's redirects. */
  readonly current: readonly Redirect[]
}

export interface RedirectPlan {
  readonly puts: readonly { readonly before: Redirect | null; readonly after: Redirect }[]
  readonly deletes: readonly Redirect[]
  readonly unchanged: number
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
export function planRedirects({ csv, mode, put, remove, current }: RedirectOrder): RedirectPlan {
  const { redirects, lineErrors, isTooLong } = csv === undefined ? { redirects: [], lineErrors: [], isTooLong: false } : parseRedirects(csv)
  const now = new Map(current.map((redirect) => [checkRedirect(redirect).source, redirect]))
  const next = new Map(csv !== undefined && mode === 'replace' ? [] : now)
  const puts: { before: Redirect | null; after: Redirect }[] = []
  let unchanged = 0
  for (const redirect of new Map([...redirects, ...put].map((each) => [each.source, each])).values()) {
    const before = now.get(redirect.source) ?? null
    // Cloudflare compares sources as they are written.
    const after = before === null ? redirect : { ...redirect, source: before.source }
    next.set(redirect.source, after)
    if (before !== null && isSameRedirect(before, after)) unchanged += 1
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
  return { puts, deletes, unchanged, lineErrors, isTooLong, contradictory, ...findingsOf([...next.values()], current) }
}

function findingsOf(next: readonly Redirect[], current: readonly Redirect[]): Pick<RedirectPlan, 'findings' | 'isChecked'> {
  const keyOf = ({ source, kind, next: to }: RedirectFinding) => `${kind} ${source} ${to}`
  const [before, after] = [indexRedirects(current), indexRedirects(next)]
  const known = new Set(checkRedirects(before).map(keyOf))
  const findings = checkRedirects(after).filter((finding) => !known.has(keyOf(finding)))
  if (before.isExhausted() || after.isExhausted()) return { findings: [], isChecked: false }
  return { findings, isChecked: true }
}
