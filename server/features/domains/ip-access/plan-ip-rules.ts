import type { Ctx } from '#server/platform/context.ts'
import { planTier } from '#shared/features/domains/rulesets/phases.ts'
import type { IpAccessMode, IpAccessValue } from '#shared/features/domains/ip-access/values.ts'
import { listExpiriesOfZones, listForPlan } from './ip-access.repo.ts'
import type { StoredIpRule } from './logged-ip-rule.ts'
import { mayBeTooShort } from './rule-expiry.ts'
import type { RuleExpiry } from './rule-expiry.ts'
import { isSameValue } from './send-ip-rules.ts'

export interface PlannedAdditions {
  readonly added: readonly IpAccessValue[]
  /** Rules of the same mode that get a later expiry or none; a duration counts from the time when they are changed. */
  readonly extended: readonly StoredIpRule[]
  /** Values that have a rule of another mode, which is kept. */
  readonly conflicts: readonly StoredIpRule[]
  /** Values that the plan of the domain does not permit with this mode. */
  readonly refused: readonly IpAccessValue[]
  /** Whether the rules of the domain have been read; otherwise all values count as new. */
  readonly isRead: boolean
}

export interface PlannedDeletions {
  readonly deleted: readonly StoredIpRule[]
  readonly isRead: boolean
}

/** Blocking by country is part of Enterprise only; the other modes are part of every plan. */
const isRefused = (mode: IpAccessMode, plan: string | null, { target }: IpAccessValue): boolean => {
  const tier = planTier(plan)
  return target === 'country' && mode === 'block' && tier !== null && tier !== 'enterprise'
}

/** What adding these rules changes in each zone, from the mirror; null for an unknown zone. */
export async function planAdditions(
  ctx: Ctx,
  domainIds: readonly string[],
  values: readonly IpAccessValue[],
  { mode, expiry }: { readonly mode: IpAccessMode; readonly expiry: RuleExpiry },
): Promise<(PlannedAdditions | null)[]> {
  const [known, expiries] = await Promise.all([listForPlan(ctx.db.orm, domainIds), listExpiriesOfZones(ctx.db.orm, domainIds)])
  return domainIds.map((id) => {
    const zone = known.get(id)
    if (zone === undefined) return null
    const ruleOf = (value: IpAccessValue) => zone.rules?.find((rule) => isSameValue(rule, value))
    const open = values.filter((value) => ruleOf(value) === undefined)
    const present = values.flatMap((value) => ruleOf(value) ?? [])
    return {
      added: open.filter((value) => !isRefused(mode, zone.plan, value)),
      extended: present.filter((rule) => rule.mode === mode && mayBeTooShort(expiries.get(rule.id), expiry)),
      conflicts: present.filter((rule) => rule.mode !== mode),
      refused: open.filter((value) => isRefused(mode, zone.plan, value)),
      isRead: zone.rules !== null,
    }
  })
}

/** The rules with these values in each zone, from the mirror; null for an unknown zone. */
export async function planDeletions(
  ctx: Ctx,
  domainIds: readonly string[],
  values: readonly IpAccessValue[],
  mode: IpAccessMode | null,
): Promise<(PlannedDeletions | null)[]> {
  const known = await listForPlan(ctx.db.orm, domainIds)
  return domainIds.map((id) => {
    const zone = known.get(id)
    if (zone === undefined) return null
    const rules = zone.rules ?? []
    const deleted = rules.filter((rule) => values.some((value) => isSameValue(rule, value)) && (mode === null || rule.mode === mode))
    return { deleted, isRead: zone.rules !== null }
  })
}
