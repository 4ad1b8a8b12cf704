import { parseRedirects } from '#shared/features/redirects/csv.ts'
import type { RedirectLineError } from '#shared/features/redirects/csv.ts'
import { checkRedirects, indexRedirects } from '#shared/features/redirects/graph.ts'
import type { RedirectFinding } from '#shared/features/redirects/graph.ts'
import { parseTarget } from '#shared/features/redirects/redirect-url.ts'
import { checkRedirect, isSameRedirect } from '#shared/features/redirects/schema.ts'
import type { Redirect } from '#shared/features/redirects/schema.ts'
import { findRulesIn } from './find-rules.policy.ts'
import type { DomainRules } from './find-rules.policy.ts'

export interface RedirectOrder {
  readonly csv: string | undefined
  readonly mode: 'merge' | 'replace'
  readonly put: readonly Redirect[]
  readonly remove: readonly string[]
  /** The account's redirects. */
  readonly current: readonly Redirect[]
}

/** What a visit can go through besides the redirects of the account. */
export interface Others {
  /** Of other accounts. */
  readonly redirects: readonly Redirect[]
  readonly rules: readonly DomainRules[]
}
export const noOthers: Others = { redirects: [], rules: [] }
export type FindOthers = (targetHosts: readonly string[]) => Promise<Others>

export interface RedirectPlan {
  readonly puts: readonly { readonly before: Redirect | null; readonly after: Redirect }[]
  readonly deletes: readonly Redirect[]
  /** The sources of wanted redirects that the account has already. */
  readonly unchanged: readonly string[]
  readonly lineErrors: readonly RedirectLineError[]
  readonly isTooLong: boolean
  /** A source that is both to be saved and to be removed. */
  readonly contradictory: string | null
  /** Loops, chains and uncertain targets that the change causes. */
  readonly findings: readonly RedirectFinding[]
  /** False: checking for loops and chains would have taken too long. */
  readonly isChecked: boolean
}

/** What a file or single changes do to the redirects of an account. */
export async function planRedirects(order: RedirectOrder, findOthers: FindOthers): Promise<RedirectPlan> {
  const changes = readChanges(order)
  return checkChanges(changes, changes.targetHosts.length === 0 ? noOthers : await findOthers(changes.targetHosts))
}

interface PlannedChanges extends Omit<RedirectPlan, 'findings' | 'isChecked'> {
  readonly current: readonly Redirect[]
  /** The redirects afterwards. */
  readonly next: readonly Redirect[]
  /** The hosts that saved redirects lead to. */
  readonly targetHosts: readonly string[]
}

export function readChanges({ csv, mode, put, remove, current }: RedirectOrder): PlannedChanges {
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
    lineErrors,
    isTooLong,
    contradictory,
    current,
    next: [...next.values()],
    targetHosts: [...targetHosts],
  }
}

/** Looks for loops and chains. */
export function checkChanges(changes: PlannedChanges, others: Others): RedirectPlan {
  const { current, next, targetHosts: _targetHosts, ...plan } = changes
  return { ...plan, ...findingsOf(next, current, others) }
}

function findingsOf(next: readonly Redirect[], current: readonly Redirect[], others: Others): Pick<RedirectPlan, 'findings' | 'isChecked'> {
  const keyOf = ({ source, kind, next: to }: RedirectFinding) => `${kind} ${source} ${to}`
  const findRules = findRulesIn(others.rules)
  const indexWith = (own: readonly Redirect[]) => indexRedirects([...own, ...others.redirects], findRules)
  const [before, after] = [indexWith(current), indexWith(next)]
  const known = new Set(checkRedirects(before).map(keyOf))
  const foreign = new Set(others.redirects.map(({ source }) => source))
  for (const { source } of next) foreign.delete(source)
  const findings = checkRedirects(after).filter((finding) => !known.has(keyOf(finding)) && !foreign.has(finding.source))
  if (before.isExhausted() || after.isExhausted()) return { findings: [], isChecked: false }
  return { findings, isChecked: true }
}
