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
import type { BatchEntry } from '#server/features/domains/history/index.ts'
import { seenOf } from '#shared/features/domains/records/record-types.ts'
import { loggedRule } from '#shared/features/domains/rulesets/schema.ts'
import { domainRuleRef } from '#shared/features/redirects/own-list.ts'
import type { Redirect } from '#shared/features/redirects/schema.ts'
import { isAtLeast } from '#shared/features/sharing/rules.ts'
import type { DoneItem, DraftedZone, Outcome, RunItem } from '../operation-kind.ts'
import { listPlanZones } from '../plan-reading.repo.ts'
import type { ItemAccount, PlanZone } from '../planned.ts'
import { planHistoryUndo } from './plan-history-undo.ts'
import { listOpenRemovals } from './undo-zones.repo.ts'
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

/** A record that an operation created, and the entries of the history that an undo reverts to delete it. */
interface CreatedRecord {
  readonly host: string
  readonly entryIds: readonly string[]
}

/** Null unless the value is a record as `draftRecords` creates it. */
function createdRecord(value: unknown, entryIds: readonly string[]): CreatedRecord | null {
  const record = placeholderRecord.safeParse(value).data
  return record === undefined ? null : { host: record.name, entryIds }
}

/** What an undo does in a domain. */
interface UndoneDomain extends Pick<PlanZone, 'id' | 'name' | 'accountId'> {
  readonly created: readonly CreatedRecord[]
  /** Whether it deletes the single redirect of the domain. */
  readonly deletesRule: (rule: Definition) => boolean
}

/** Which of the redirects with these sources the undo removes. */
type FindRemoved = (accountId: string, sources: readonly string[]) => Promise<readonly Redirect[]>

/**
 * The entries of created records that stay, because a redirect needs them: one in the list of the account that the undo does not remove, or a
 * single redirect of the domain that it does not delete. Decides at the preview, and again when the undo runs.
 */
async function listNeeded(ctx: Ctx, domains: readonly UndoneDomain[], findRemoved: FindRemoved): Promise<Set<string>> {
  const creating = domains.filter(({ created }) => created.length > 0)
  const rules = await listDomainRules(
    ctx,
    creating.map(({ id }) => id),
  )
  const needed = new Set<string>()
  for (const [accountId, theirs] of Map.groupBy(creating, (domain) => domain.accountId)) {
    const hosts = theirs.flatMap(({ created }) => created.map(({ host }) => host))
    const redirected = await listRedirectedHosts(ctx, accountId, hosts, (sources) => findRemoved(accountId, sources))
    for (const { id, name, created, deletesRule } of theirs) {
      const rule = rules.get(id)
      const isKept = rule !== undefined && !deletesRule(rule)
      for (const { host, entryIds } of created)
        if (redirected.has(host) || (isKept && isRuleOf(rule, name, host))) for (const entryId of entryIds) needed.add(entryId)
    }
  }
  return needed
}

/** Whether the undo of these entries deletes the single redirect of their domain: they added it, and nobody has changed it since. */
const isDeletedBy =
  (entries: readonly BatchEntry[]) =>
  (rule: Definition): boolean =>
    [
      ...Map.groupBy(
        entries.filter(({ subject }) => subject === 'rule'),
        ({ key }) => key,
      ).values(),
    ].some((some) => {
      const after = loggedRule.safeParse(some[0]?.after).data
      return some.at(-1)?.before === null && after?.ref === domainRuleRef && isSameDefinition(after.definition, rule)
    })

type Reverting = Awaited<ReturnType<typeof planRevert>>

/** The entries that an undo leaves when it runs. */
export async function listNeededRecords(
  ctx: Ctx,
  { operationId }: Pick<RunItem, 'operationId'>,
  { zone, slots }: Pick<Reverting, 'zone' | 'slots'>,
): Promise<Set<string>> {
  const deleted = slots.filter(({ wanted }) => wanted === null)
  const created = deleted.flatMap(({ subject, now, entryIds }) => (subject === 'record' ? (createdRecord(now, entryIds) ?? []) : []))
  const deletesRule = deleted.some(({ subject, now }) => subject === 'rule' && loggedRule.safeParse(now).data?.ref === domainRuleRef)
  return listNeeded(ctx, [{ ...zone, created, deletesRule: () => deletesRule }], (accountId, sources) =>
    listOpenRemovals(ctx.db, { operationId, accountId, sources }),
  )
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
  const known = new Set(visible.map(({ id }) => id))
  const history = await listBatch(
    ctx.db.orm,
    operationId,
    allowed.map(({ id }) => id),
  )
  const undone = allowed.map((zone) => {
    const entries = (history.get(zone.id) ?? []).filter(({ revertedById }) => revertedById === null)
    const created = entries.flatMap(({ id, subject, after }) => (subject === 'record' ? (createdRecord(after, [id]) ?? []) : []))
    return { ...zone, created, deletesRule: isDeletedBy(entries) }
  })
  const needed = await listNeeded(ctx, undone, async (accountId) => removedOf.get(accountId) ?? [])
  const keeping = new Set(
    undone.flatMap(({ id, created }) => (created.some(({ entryIds }) => entryIds.some((each) => needed.has(each))) ? [id] : [])),
  )
  const plans = await planHistoryUndo(ctx, allowed, operationId, ({ id }) => !needed.has(id))
  return [
    ...visible.filter((zone) => !allowed.includes(zone)).map((zone) => ({ zone, plan: { refused: 'level_too_low' } })),
    ...allowed.flatMap((zone, index) => {
      const plan = plans[index]
      if (plan === undefined) return []
      return [{ zone, plan: keeping.has(zone.id) && 'refused' in plan ? { refused: 'record_in_use' } : plan }]
    }),
    ...planLost(done, ({ domainId }) => domainId !== null && known.has(domainId), 'not_found'),
  ]
}
