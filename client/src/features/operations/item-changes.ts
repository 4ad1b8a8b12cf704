import { z } from 'zod'
import { findKind } from '#shared/features/operations/registry.ts'
import { rulePhases, type RulePhase } from '#shared/features/domains/rulesets/phases.ts'
import { money, type MoneyView } from '#shared/features/registrars/schema.ts'
import { reserveProblem, type ReserveProblem } from '#shared/features/trackers/schema.ts'

/** One change of a domain: a value, a record, or the whole domain. `null`: absent. */
export type ItemChange =
  | { readonly kind: 'setting'; readonly key: string; readonly from: unknown; readonly to: unknown }
  /** The initial settings of a new domain. */
  | { readonly kind: 'initial'; readonly key: string; readonly to: unknown }
  | { readonly kind: 'record'; readonly from: ShownRecord | null; readonly to: ShownRecord | null }
  | { readonly kind: 'rule'; readonly from: ShownRule | null; readonly to: ShownRule | null }
  | { readonly kind: 'ip_access'; readonly from: ShownIpRule | null; readonly to: ShownIpRule | null }
  | { readonly kind: 'group'; readonly from: string | null; readonly to: string | null }
  | { readonly kind: 'profile'; readonly from: string | null; readonly to: string | null }
  | { readonly kind: 'registrar'; readonly from: string | null; readonly to: string | null }
  /** A purchased name, with its term. */
  | { readonly kind: 'purchase'; readonly price: MoneyView; readonly years: number }
  /** The renewal term and maximum price, with the current expiry. */
  | { readonly kind: 'renewal'; readonly paidUntil: string; readonly price: MoneyView; readonly years: number }
  /** Null: the registrar does not report it. */
  | { readonly kind: 'auto_renew'; readonly from: boolean | null; readonly to: boolean }
  /** The registrar that gets the DS record, or loses it. */
  | { readonly kind: 'ds'; readonly registrar: string; readonly published: boolean }
  /** The name servers at the registrar or in DNS; null: unknown, or assigned later by Cloudflare. */
  | { readonly kind: 'name_servers'; readonly from: readonly string[] | null; readonly to: readonly string[] | null }
  /** The tracker and campaign of a domain; null: none. */
  | { readonly kind: 'tracker'; readonly from: string | null; readonly to: string | null }
  | { readonly kind: 'campaign'; readonly from: string | null; readonly to: string | null }
  | { readonly kind: 'tracker_group'; readonly from: string | null; readonly to: string | null }
  | { readonly kind: 'ssl_redirect'; readonly from: boolean | null; readonly to: boolean | null }
  /** The last result of a tracker's own check; null: no problem. */
  | { readonly kind: 'tracker_check'; readonly from: string | null }
  /** Another domain replaces it. */
  | { readonly kind: 'replaced'; readonly from: string; readonly to: string }
  /** The replacement is not ready now. */
  | { readonly kind: 'unready'; readonly domain: string | null; readonly problems: readonly ReserveProblem[] }
  /** The domain's plan includes fewer rules of this kind than it would get. */
  | { readonly kind: 'full_phase'; readonly phase: RulePhase; readonly rules: number; readonly limit: number }
  /** The number of records that are not transferred. */
  | { readonly kind: 'left'; readonly records: number }
  /** How many redirects a batch changes; some of them follow as records. */
  | { readonly kind: 'redirects'; readonly added: number; readonly changed: number; readonly removed: number }
  /** `records`: how many are deleted or restored with the domain. */
  | { readonly kind: 'whole'; readonly records: number | null }

type TrackerPart = 'tracker' | 'campaign' | 'tracker_group'

/** The two sides of a plan as received from the server. */
interface Sides {
  readonly before?: unknown
  readonly after?: unknown
  readonly redirects?: { readonly added: number; readonly changed: number; readonly removed: number } | undefined
}

const shownRecord = z.object({
  type: z.string(),
  name: z.string(),
  content: z.string(),
  proxied: z.boolean().default(false),
  priority: z.number().nullish(),
})
export type ShownRecord = z.infer<typeof shownRecord>

const parameters = z.record(z.string(), z.unknown()).nullish()
const shownRule = z.object({
  phase: z.enum(rulePhases),
  /** 1 is the first rule of its phase. */
  position: z.int(),
  description: z.string(),
  expression: z.string(),
  enabled: z.boolean(),
  action: z.string(),
  actionParameters: parameters,
  ratelimit: parameters,
})
export type ShownRule = z.infer<typeof shownRule>

/** A rule of IP access; `mode` null: of any mode, because the rules of the domain were not read. */
const shownIpRule = z.object({ mode: z.string().nullable(), value: z.string(), note: z.string().default('') })
export type ShownIpRule = z.infer<typeof shownIpRule>
const ipRules = z.array(shownIpRule)
const ipAccess = z.strictObject({ ipAccess: ipRules })

const records = z.array(shownRecord)
/** Both sides have the same length; null: the rule is absent there. */
const rules = z.array(shownRule.nullable())
const values = z.record(z.string(), z.unknown())
const name = z.string().nullable()
/** One side of a change of several objects: a profile, or an undo. */
const several = z.object({
  group: name.optional(),
  profile: name.optional(),
  registrar: name.optional(),
  settings: values,
  records,
  rules: rules.default([]),
  ipAccess: ipRules.default([]),
})
/** One side of a binding in a tracker. */
const bound = z.object({
  tracker: name,
  campaign: name.optional(),
  group: name.optional(),
  sslRedirect: z.boolean().nullish(),
})
/** A new domain: its records one by one, or the number of records of a deleted one. */
const started = z.object({
  settings: values,
  records: z.union([records, z.int()]),
  registrar: name.optional(),
  nameServers: z.object({ now: z.array(z.string()).nullable() }).optional(),
  purchase: z.object({ price: money, years: z.int() }).optional(),
  /** The tracker binding of a purchased domain. */
  binding: bound.nullish(),
})
/** A tracker's last result, before a new check. */
const said = z.object({ tracker: name, status: name, problem: name, sslProblem: name.optional() })
const replaced = z.object({
  domain: z.string(),
  tracker: name.optional(),
  campaign: name.optional(),
  group: name.optional(),
  settings: values.default({}),
  records: records.default([]),
  left: z.int().default(0),
})
const unready = z.object({ domain: name, problems: z.array(reserveProblem) })
const full = z.object({ fullPhases: z.array(z.object({ phase: z.enum(rulePhases), rules: z.int(), limit: z.int() })) })
const paid = z.object({ paidUntil: z.string() })
const renewed = z.object({ renewal: z.object({ price: money, years: z.int() }) })
const renewing = z.object({ autoRenew: z.boolean().nullable() })
const signing = z.object({ dnssec: z.boolean().nullable(), ds: z.string().nullable() })
const delegation = z.object({ nameServers: z.array(z.string()).nullable() })
/** There was nothing before. */
const nothing = z.union([z.null(), z.undefined(), z.tuple([])])

/** The changes of a plan, determined by its shape. */
export function changesOf({ redirects, ...sides }: Sides): ItemChange[] {
  return redirects === undefined ? sideChanges(sides) : [{ kind: 'redirects', ...redirects }, ...sideChanges(sides)]
}

function sideChanges({ before, after }: Sides): ItemChange[] {
  const refusal = full.safeParse(after)
  if (refusal.success) return refusal.data.fullPhases.map((each) => ({ kind: 'full_phase', ...each }))
  const [was, becomes] = [records.safeParse(before ?? []), records.safeParse(after ?? [])]
  if (was.success && becomes.success && was.data.length + becomes.data.length > 0) return recordChanges(was.data, becomes.data)
  const [access, nextAccess] = [ipAccess.safeParse(before ?? { ipAccess: [] }), ipAccess.safeParse(after)]
  if (access.success && nextAccess.success) return ipAccessChanges(access.data.ipAccess, nextAccess.data.ipAccess)
  const [group, nextGroup] = [name.safeParse(before ?? null), name.safeParse(after ?? null)]
  if (group.success && nextGroup.success && (group.data ?? nextGroup.data) !== null) {
    return [{ kind: 'group', from: group.data, to: nextGroup.data }]
  }
  const tracked = trackerChanges({ before, after })
  if (tracked !== null) return tracked
  const [past, future] = [several.safeParse(before), several.safeParse(after)]
  if (past.success && future.success) {
    return [
      ...(['group', 'profile', 'registrar'] as const).flatMap((kind): ItemChange[] => {
        const [from = null, to = null] = [past.data[kind], future.data[kind]]
        return from === to ? [] : [{ kind, from, to }]
      }),
      ...settingChanges(past.data.settings, future.data.settings),
      ...recordChanges(past.data.records, future.data.records),
      ...past.data.rules.map((from, index): ItemChange => ({ kind: 'rule', from, to: future.data.rules[index] ?? null })),
      ...ipAccessChanges(past.data.ipAccess, future.data.ipAccess),
    ]
  }
  const [served, serving] = [delegation.safeParse(before), delegation.safeParse(after)]
  if (served.success && serving.success) {
    return [{ kind: 'name_servers', from: served.data.nameServers, to: serving.data.nameServers ?? [] }]
  }
  const [end, renewal] = [paid.safeParse(before), renewed.safeParse(after)]
  if (end.success && renewal.success) return [{ kind: 'renewal', ...end.data, ...renewal.data.renewal }]
  const [renews, willRenew] = [renewing.safeParse(before), renewing.safeParse(after)]
  if (renews.success && willRenew.success) {
    return [{ kind: 'auto_renew', from: renews.data.autoRenew, to: willRenew.data.autoRenew ?? false }]
  }
  const [unsigned, signed] = [signing.safeParse(before), signing.safeParse(after)]
  if (unsigned.success && signed.success) {
    const { dnssec: to, ds } = signed.data
    const from = unsigned.data.dnssec
    return [
      ...(from === to ? [] : [{ kind: 'setting' as const, key: 'dnssec', from, to }]),
      ...(ds === null ? [] : [{ kind: 'ds' as const, registrar: ds, published: to === true }]),
    ]
  }
  const start = started.safeParse(after)
  if (start.success && nothing.safeParse(before).success) {
    const { records: count, settings, registrar = null, nameServers, purchase, binding } = start.data
    return [
      ...(purchase === undefined ? [] : [{ kind: 'purchase' as const, ...purchase }]),
      ...(typeof count === 'number' ? [{ kind: 'whole' as const, records: count }] : recordChanges([], count)),
      ...Object.entries(settings).map(([key, to]): ItemChange => ({ kind: 'initial', key, to })),
      ...(registrar === null ? [] : [{ kind: 'registrar' as const, from: null, to: registrar }]),
      ...(binding == null ? [] : (trackerChanges({ before: null, after: binding }) ?? [])),
      ...(nameServers === undefined ? [] : [{ kind: 'name_servers' as const, from: nameServers.now, to: null }]),
    ]
  }
  const [old, next] = [values.safeParse(before), values.safeParse(after)]
  if (next.success) return settingChanges(old.success ? old.data : {}, next.data)
  return [{ kind: 'whole', records: recordsLost({ before }) }]
}

/** Changes in a tracker; null for other plans. */
function trackerChanges({ before, after }: Sides): ItemChange[] | null {
  const held = unready.safeParse(after)
  if (held.success) return held.data.problems.length === 0 ? [] : [{ kind: 'unready', ...held.data }]
  const [old, next] = [replaced.safeParse(before), replaced.safeParse(after)]
  if (old.success && next.success) {
    const { domain, tracker = null, campaign = null, group = null, settings, records: copied, left } = next.data
    return [
      { kind: 'replaced', from: old.data.domain, to: domain },
      ...(tracker === null ? [] : [{ kind: 'tracker' as const, from: null, to: tracker }]),
      ...(campaign === null ? [] : [{ kind: 'campaign' as const, from: null, to: campaign }]),
      ...(group === null ? [] : [{ kind: 'group' as const, from: null, to: group }]),
      ...settingChanges(old.data.settings, settings),
      ...recordChanges(old.data.records, copied),
      ...(left === 0 ? [] : [{ kind: 'left' as const, records: left }]),
    ]
  }
  const checked = said.safeParse(before)
  if (checked.success && nothing.safeParse(after).success) {
    return [{ kind: 'tracker_check', from: checked.data.problem ?? checked.data.sslProblem ?? null }]
  }
  const [was, becomes] = [bound.safeParse(before), bound.safeParse(after)]
  if (!(was.success || nothing.safeParse(before).success) || !(becomes.success || nothing.safeParse(after).success)) return null
  if (!was.success && !becomes.success) return null
  const [from, to] = [was.data, becomes.data]
  const parts: readonly [TrackerPart, string | null, string | null][] = [
    ['tracker', from?.tracker ?? null, to?.tracker ?? null],
    ['campaign', from?.campaign ?? null, to?.campaign ?? null],
    ['tracker_group', from?.group ?? null, to?.group ?? null],
  ]
  const [redirected, redirects] = [from?.sslRedirect ?? null, to?.sslRedirect ?? null]
  return [
    ...parts.flatMap(([kind, one, other]): ItemChange[] => (one === other ? [] : [{ kind, from: one, to: other }])),
    ...(redirected === redirects || (redirected ?? false) === (redirects ?? false)
      ? []
      : [{ kind: 'ssl_redirect' as const, from: redirected, to: redirects }]),
  ]
}

const settingChanges = (before: Readonly<Record<string, unknown>>, after: Readonly<Record<string, unknown>>): ItemChange[] =>
  Object.entries(after).map(([key, to]) => ({ kind: 'setting', key, from: before[key] ?? null, to }))

/** A value has one rule. */
function ipAccessChanges(before: readonly ShownIpRule[], after: readonly ShownIpRule[]): ItemChange[] {
  const values = [...new Set([...before, ...after].map(({ value }) => value))]
  const of = (rules: readonly ShownIpRule[], value: string) => rules.find((rule) => rule.value === value) ?? null
  return values.map((value) => ({ kind: 'ip_access', from: of(before, value), to: of(after, value) }))
}

/** A removed and an added record of the same name are one change. */
function recordChanges(before: readonly ShownRecord[], after: readonly ShownRecord[]): ItemChange[] {
  const left = [...after]
  const changed = before.map((from): ItemChange => {
    const at = left.findIndex((to) => to.type === from.type && to.name === from.name)
    return { kind: 'record', from, to: at < 0 ? null : (left.splice(at, 1)[0] ?? null) }
  })
  return [...changed, ...left.map((to): ItemChange => ({ kind: 'record', from: null, to }))]
}

/** The number of records deleted with a domain; null for other plans. */
export const recordsLost = ({ before }: Sides): number | null => z.object({ records: z.number() }).safeParse(before).data?.records ?? null

/** A record's target in the notation of its domain, so that `xn--…` and `почта.рф` are not mixed. */
export const contentIn = (content: string, { domain, displayName }: { readonly domain: string; readonly displayName: string }): string =>
  content === domain || content.endsWith(`.${domain}`) ? content.slice(0, -domain.length) + displayName : content

/** The vendor account of an item: for most kinds that of the domain, for others a tracker or a registrar. */
export function placeOf(kind: string): 'account' | 'registrar' | 'tracker' {
  const row = findKind(kind)
  return row?.calls === 'tracker' ? 'tracker' : row?.target === 'registrar_names' ? 'registrar' : 'account'
}
