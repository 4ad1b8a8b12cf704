import { z } from 'zod'
import { listBatch } from '#server/features/domains/history/index.ts'
import type { planRevert } from '#server/features/domains/history/index.ts'
import { applyRecordChanges, openZone, recordChanges, serializeZoneChanges } from '#server/features/domains/index.ts'
import type { RecordChanges } from '#server/features/domains/index.ts'
import { isSameDefinition } from '#server/features/domains/rulesets/index.ts'
import type { Definition } from '#server/features/domains/rulesets/index.ts'
import { isRuleOf, listAnswers, listDomainRules, listRedirectedHosts } from '#server/features/redirects/index.ts'
import type { DomainHosts } from '#server/features/redirects/index.ts'
import { refreshPart } from '#server/features/sync/index.ts'
import { findLevel } from '#server/platform/access-scope.ts'
import type { Ctx } from '#server/platform/context.ts'
import { AppError } from '#shared/errors/app-error.ts'
import { seenOf } from '#shared/features/domains/records/record-types.ts'
import { loggedRule } from '#shared/features/domains/rulesets/schema.ts'
import { domainRuleRef } from '#shared/features/redirects/own-list.ts'
import type { Redirect } from '#shared/features/redirects/schema.ts'
import { isAtLeast } from '#shared/features/sharing/rules.ts'
import type { DoneItem, DraftedZone, Outcome, Planned, RunItem } from '../operation-kind.ts'
import { listPlanZones } from '../plan-reading.repo.ts'
import type { ItemAccount, PlanZone } from '../planned.ts'
import { planHistoryUndo } from './plan-history-undo.ts'
import { planLost } from './undo-zones.ts'

/**
 * Answers for a hostname that only redirects: requests must pass through Cloudflare, but there is no server. Cloudflare names this address of
 * the discard prefix as the placeholder for setups without an origin (developers.cloudflare.com/support/troubleshooting/http-status-codes/
 * cloudflare-1xxx-errors/error-1034, "Pointing to reserved IP addresses").
 */
const placeholder = { type: 'AAAA', content: '100::', ttl: 1, proxied: true } as const

/** The limit of one call on the smallest plan. */
const hostsPerItem = 200
/** Reading the records, and the call. */
const callsPerItem = 2

const recordsWork = z.object({ changes: recordChanges })

/** Proxied records for hostnames that have none. */
export const draftRecords = (account: ItemAccount, domains: readonly DomainHosts[]): DraftedZone[] =>
  domains.flatMap(({ domainId, domain, hosts, isRead }) => {
    const zone = { ...account, id: domainId, name: domain }
    const batches = Array.from({ length: Math.ceil(hosts.length / hostsPerItem) }, (_, at) =>
      hosts.slice(at * hostsPerItem, (at + 1) * hostsPerItem).map((name) => ({ ...placeholder, name })),
    )
    return batches.map((records) => ({
      zone,
      plan: {
        before: [],
        after: records.map((record) => seenOf({ ...record, priority: null, comment: null })),
        dangers: isRead ? [] : ['records_unread'],
        calls: callsPerItem,
        work: { changes: { creates: records.map((record) => ({ record })) } } satisfies { changes: RecordChanges },
      },
    }))
  })

/** Nothing is created for a hostname that a record answers for by now, also a wildcard, or the name servers of a delegated subdomain. */
export async function createRecords(ctx: Ctx, { domainId, operationId, plan }: RunItem): Promise<Outcome> {
  if (domainId === null) throw new AppError('not_found')
  const zone = await openZone(ctx, domainId)
  const { creates = [] } = recordsWork.parse(plan.work).changes
  // Serialized with other changes of the zone: a reading older than a change would be discarded.
  await serializeZoneChanges(domainId, () => refreshPart(ctx, zone, 'records', { priority: 'bulk' }))
  const answers = await listAnswers(
    ctx,
    zone.accountId,
    creates.map(({ record }) => ({ host: record.name, domain: zone.name })),
  )
  const open = creates.filter(({ record }) => !answers.has(record.name))
  if (open.length > 0) {
    const { error } = await applyRecordChanges(
      ctx,
      zone,
      { creates: open },
      { priority: 'bulk', source: 'operation', batchId: operationId },
    )
    if (error !== null) throw error
  }
  const isHeldBack = creates.some(({ record }) => answers.get(record.name) === 'dns_only')
  if (!isHeldBack) return { state: 'done' }
  return { state: open.length === 0 ? 'skipped' : 'done', code: 'records_held_back' }
}

const placeholderRecord = z.object({ name: z.string(), type: z.literal(placeholder.type), content: z.literal(placeholder.content) })
const created = z.object({ records: z.array(z.object({ name: z.string() })) })

/** The single redirects of these domains that the undo of the operation does not delete: those that it did not add, or that were changed since. */
async function listKeptRules(ctx: Ctx, operationId: string, domainIds: readonly string[]): Promise<Map<string, Definition>> {
  const rules = await listDomainRules(ctx, domainIds)
  const entries = await listBatch(ctx.db.orm, operationId, [...rules.keys()])
  const isDeleted = (id: string, rule: Definition): boolean => {
    const theirs = (entries.get(id) ?? []).filter(({ subject, revertedById }) => subject === 'rule' && revertedById === null)
    return [...Map.groupBy(theirs, ({ key }) => key).values()].some((some) => {
      const after = loggedRule.safeParse(some[0]?.after).data
      return some.at(-1)?.before === null && after?.ref === domainRuleRef && isSameDefinition(after.definition, rule)
    })
  }
  return new Map([...rules].filter(([id, rule]) => !isDeleted(id, rule)))
}

type Reverting = Awaited<ReturnType<typeof planRevert>>

/** The entries that the undo leaves, because the single redirect of the domain stays and needs the records that they created. */
export async function listNeededRecords(ctx: Ctx, { zone, slots }: Pick<Reverting, 'zone' | 'slots'>): Promise<Set<string>> {
  const isOwn = (value: unknown) => loggedRule.safeParse(value).data?.ref === domainRuleRef
  const deleted = slots.filter(({ wanted }) => wanted === null)
  const placeholders = deleted.flatMap(({ subject, now, entryIds }) => {
    const record = subject === 'record' ? placeholderRecord.safeParse(now).data : undefined
    return record === undefined ? [] : [{ host: record.name, entryIds }]
  })
  if (placeholders.length === 0 || deleted.some(({ subject, now }) => subject === 'rule' && isOwn(now))) return new Set()
  const rule = (await listDomainRules(ctx, [zone.id])).get(zone.id)
  if (rule === undefined) return new Set()
  return new Set(placeholders.flatMap(({ host, entryIds }) => (isRuleOf(rule, zone.name, host) ? entryIds : [])))
}

/**
 * The undo of created records and single redirects, from the histories of their domains. Records that other redirects need stay.
 * @param removedOf the redirects that the undo removes, by account
 */
export async function planDomainsUndo(
  ctx: Ctx,
  operationId: string,
  done: readonly DoneItem[],
  removedOf: ReadonlyMap<string, readonly Redirect[]>,
): Promise<DraftedZone[]> {
  const ids = [...new Set(done.flatMap(({ domainId }) => domainId ?? []))]
  if (ids.length === 0) return []
  const there = await listPlanZones(ctx.db, ids)
  const levels = await Promise.all(there.map((zone) => findLevel(ctx, zone)))
  const visible = there.filter((_zone, index) => levels[index] !== null)
  const allowed = there.filter((_zone, index) => isAtLeast(levels[index] ?? 'view', 'operate'))
  const plans = await planHistoryUndo(ctx, allowed, operationId)
  const known = new Set(visible.map(({ id }) => id))
  const inUse = new Map<string, ReadonlySet<string>>()
  for (const accountId of new Set(allowed.map((zone) => zone.accountId)))
    inUse.set(accountId, await listRedirectedHosts(ctx, accountId, removedOf.get(accountId) ?? []))
  const hostsOf = (plan: Planned | undefined): string[] =>
    plan !== undefined && 'before' in plan ? (created.safeParse(plan.before).data?.records ?? []).map(({ name }) => name) : []
  const kept = await listKeptRules(
    ctx,
    operationId,
    allowed.flatMap(({ id }, index) => (hostsOf(plans[index]).length > 0 ? [id] : [])),
  )
  const isInUse = ({ id, name, accountId }: PlanZone, plan: Planned | undefined): boolean => {
    const rule = kept.get(id)
    return hostsOf(plan).some((host) => inUse.get(accountId)?.has(host) === true || (rule !== undefined && isRuleOf(rule, name, host)))
  }
  const keeping = allowed.filter((zone, index) => isInUse(zone, plans[index]))
  const withoutRecords = await planHistoryUndo(ctx, keeping, operationId, ({ subject }) => subject !== 'record')
  const planOfKeeping = (zone: PlanZone): Planned => {
    const plan = withoutRecords[keeping.indexOf(zone)]
    return plan === undefined || 'refused' in plan ? { refused: 'record_in_use' } : plan
  }
  return [
    ...visible.filter((zone) => !allowed.includes(zone)).map((zone) => ({ zone, plan: { refused: 'level_too_low' } })),
    ...allowed.flatMap((zone, index) => {
      const plan = plans[index]
      return plan === undefined ? [] : [{ zone, plan: keeping.includes(zone) ? planOfKeeping(zone) : plan }]
    }),
    ...planLost(done, ({ domainId }) => domainId !== null && known.has(domainId), 'not_found'),
  ]
}
