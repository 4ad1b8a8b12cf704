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
  /** Loops and chains that the change causes. */
  readonly findings: readonly RedirectFinding[]
}

/** What a file or single changes do to the redirects of an account. */
export function planRedirects({ csv, mode, put, remove, current }: RedirectOrder): RedirectPlan {
  const { redirects, lineErrors, isTooLong } = csv === undefined ? { redirects: [], lineErrors: [], isTooLong: false } : parseRedirects(csv)
  const now = new Map(current.map((redirect) => [checkRedirect(redirect).source, redirect]))
  const next = new Map(csv !== undefined && mode === 'replace' ? [] : now)
  const puts: { before: Redirect | null; after: Redirect }[] = []
  let unchanged = 0
  for (const wanted of new Map([...redirects, ...put].map((redirect) => [redirect.source, redirect])).values()) {
    const before = now.get(wanted.source) ?? null
    // Cloudflare compares sources as they are written.
    const after = before === null ? wanted : { ...wanted, source: before.source }
    next.set(wanted.source, after)
    if (before !== null && isSameRedirect(before, after)) unchanged += 1
    else puts.push({ before, after })
  }
  for (const source of remove) next.delete(checkRedirect({ source, target: '', subpathMatching: false, preserveQueryString: false }).source)
  const deletes = [...now].filter(([source]) => !next.has(source)).map(([, redirect]) => redirect)
  return { puts, deletes, unchanged, lineErrors, isTooLong, findings: findingsOf([...next.values()], current) }
}

function findingsOf(next: readonly Redirect[], current: readonly Redirect[]): RedirectFinding[] {
  const keyOf = ({ source, kind, next: to }: RedirectFinding) => `${kind} ${source} ${to}`
  const known = new Set(checkRedirects(indexRedirects(current)).map(keyOf))
  return checkRedirects(indexRedirects(next)).filter((finding) => !known.has(keyOf(finding)))
}
