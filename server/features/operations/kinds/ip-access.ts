import { z } from 'zod'
import {
  applyIpRules,
  expiryOf,
  failureOfIpRules,
  planAdditions,
  planDeletions,
  recordEarlierIpRules,
  valuesOf,
} from '#server/features/domains/ip-access/index.ts'
import type { IpRuleChange } from '#server/features/domains/ip-access/index.ts'
import { openZone } from '#server/features/domains/index.ts'
import type { Ctx } from '#server/platform/context.ts'
import { AppError } from '#shared/errors/app-error.ts'
import { ipAccessMode } from '#shared/features/domains/ip-access/schema.ts'
import { ipAccessTargets } from '#shared/features/domains/ip-access/values.ts'
import type { IpAccessMode } from '#shared/features/domains/ip-access/values.ts'
import type { ipAccessAddRequest, ipAccessDeleteRequest } from '#shared/features/operations/requests.ts'
import * as requests from '#shared/features/operations/requests.ts'
import type { DomainOperationKind, Outcome, Planned, RunItem } from '../operation-kind.ts'

const value = { target: z.enum(ipAccessTargets), value: z.string() }
const addWork = z.array(z.object(value))
/** `mode` null: the rules of the domain were not read, so a rule of any mode is meant. */
const deleteWork = z.array(z.object({ ...value, mode: ipAccessMode.nullable() }))

/** The rules are read before they are changed. */
const callsOfReading = 1
const shown = (ipAccess: readonly { readonly mode: IpAccessMode | null; readonly value: string; readonly note?: string }[]) => ({
  ipAccess,
})

async function zoneOf(ctx: Ctx, { domainId }: RunItem) {
  if (domainId === null) throw new AppError('not_found')
  return openZone(ctx, domainId)
}

const optionsOf = ({ operationId }: RunItem, signal: AbortSignal) =>
  ({ priority: 'bulk', signal, source: 'operation', batchId: operationId }) as const

async function apply(ctx: Ctx, item: RunItem, changes: readonly IpRuleChange[], signal: AbortSignal): Promise<Outcome> {
  const zone = await zoneOf(ctx, item)
  const options = { ...optionsOf(item, signal), repeatedSince: item.attempt > 1 ? item.startedAt : null }
  const sent = await applyIpRules(ctx, zone, changes, options)
  const failure = failureOfIpRules(sent)
  if (failure !== null) throw failure
  const { heldBack } = sent
  if (heldBack.length === changes.length && changes.length > 0) return { state: 'skipped', code: 'ip_access_conflict' }
  return { state: 'done', ...(heldBack.length === 0 ? {} : { code: 'ip_access_held_back' }) }
}

export const ipAccessAdd: DomainOperationKind<z.output<typeof ipAccessAddRequest>> = {
  input: requests.ipAccessAddRequest,
  async plan(ctx, zones, { values, mode, note, ...expiring }) {
    const { expiresAt } = expiring
    if (expiresAt !== null && Date.parse(expiresAt) <= ctx.clock.now()) throw new AppError('ip_access_expired')
    const wanted = valuesOf(values)
    const plans = await planAdditions(
      ctx,
      zones.map(({ id }) => id),
      wanted,
      { mode, expiry: expiryOf(expiring, new Date(ctx.clock.now())) },
    )
    return plans.map((plan): Planned => {
      if (plan === null) return { refused: 'not_found' }
      const { added, extended, conflicts, refused, isRead } = plan
      if (added.length === 0 && extended.length === 0) {
        const kept = conflicts.map((rule) => ({ mode: rule.mode, value: rule.value, note: rule.note }))
        if (conflicts.length > 0) return { refused: 'ip_access_conflict', after: shown(kept) }
        return refused.length > 0 ? { refused: 'ip_access_plan' } : { unchanged: true }
      }
      return {
        before: shown(extended),
        after: shown([...extended, ...added.map((each) => ({ mode, value: each.value, note }))]),
        dangers: [
          ...(conflicts.length > 0 ? ['ip_access_conflict'] : []),
          ...(refused.length > 0 ? ['ip_access_plan'] : []),
          ...(mode === 'whitelist' ? ['ip_access_allows'] : []),
          ...(isRead ? [] : ['ip_access_unread']),
        ],
        calls: added.length + callsOfReading,
        work: [...added, ...extended.map((rule) => ({ target: rule.target, value: rule.value }))],
      }
    })
  },
  async run(ctx, item, { mode, note, ...expiring }, signal) {
    const expiry = expiryOf(expiring, item.startedAt)
    const changes = addWork.parse(item.plan.work).map((each): IpRuleChange => ({ kind: 'create', rule: { ...each, mode, note, expiry } }))
    // A scheduled operation may start late.
    if (expiry instanceof Date && expiry.getTime() <= ctx.clock.now()) {
      // What an earlier attempt added has to be deleted.
      if (item.attempt > 1) {
        const options = { ...optionsOf(item, signal), since: item.startedAt }
        await recordEarlierIpRules(ctx, await zoneOf(ctx, item), changes, options)
      }
      return { state: 'skipped', code: 'ip_access_expired' }
    }
    return apply(ctx, item, changes, signal)
  },
}

export const ipAccessDelete: DomainOperationKind<z.output<typeof ipAccessDeleteRequest>> = {
  input: requests.ipAccessDeleteRequest,
  async plan(ctx, zones, { values, mode }) {
    const wanted = valuesOf(values)
    const plans = await planDeletions(
      ctx,
      zones.map(({ id }) => id),
      wanted,
      mode,
    )
    return plans.map((plan): Planned => {
      if (plan === null) return { refused: 'not_found' }
      const { deleted, isRead } = plan
      if (isRead && deleted.length === 0) return { unchanged: true }
      const work = isRead
        ? deleted.map((rule) => ({ target: rule.target, value: rule.value, mode: rule.mode }))
        : wanted.map((each) => ({ ...each, mode }))
      return {
        before: shown(isRead ? deleted : work),
        after: shown([]),
        dangers: isRead ? [] : ['ip_access_unread'],
        calls: work.length + callsOfReading,
        work,
      }
    })
  },
  run: (ctx, item, _input, signal) =>
    apply(
      ctx,
      item,
      deleteWork
        .parse(item.plan.work)
        .map(({ mode, ...of }): IpRuleChange => ({ kind: 'delete', of, isExpected: (rule) => mode === null || rule.mode === mode })),
      signal,
    ),
}
