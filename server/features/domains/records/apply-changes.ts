import { randomUUID } from 'node:crypto'
import type { Database, Queryable, Transaction } from '#server/db/client.ts'
import { refreshPart } from '#server/features/sync/index.ts'
import { summarizeRecords } from '../mirror/zone-row.policy.ts'
import { serializeZoneChanges } from '../access/serialize-zone-changes.ts'
import type { OpenZone } from '../access/open-zone.ts'
import { createStore } from '../access/store-together.ts'
import { audit } from '#server/platform/audit.ts'
import type { AuditEntry } from '#server/platform/audit.ts'
import type { Ctx } from '#server/platform/context.ts'
import { createBatchLoader } from '#server/platform/batch-loader.ts'
import { writeHistory } from '#server/platform/history.ts'
import type { HistoryEntry, HistoryOptions } from '#server/platform/history.ts'
import type { CallOptions, HostedRecord, Priority, RecordInput as HostRecord } from '#server/ports/dns-host.ts'
import { AppError } from '#shared/errors/app-error.ts'
import { comparableContent } from '#shared/features/domains/records/rules.ts'
import type { DnsRecord } from '#shared/features/domains/records/schema.ts'
import { findRefusedChanges } from './find-refused-changes.ts'
import { batchSize, chunkChanges, planChanges } from './plan-changes.ts'
import type { ChangeKind, PlannedChange, RecordChanges } from './plan-changes.ts'
import {
  listByIds,
  listCounted,
  listKnownIds,
  listMirror,
  markDeletions,
  markDoubtful,
  storeRecords,
  toDnsRecord,
  updateSummaries,
} from './records.repo.ts'
import type { NamedRecords } from './records.repo.ts'

export interface ApplyOptions {
  readonly priority: Priority
  readonly source: HistoryOptions['source']
  /** Default for changes without their own value. */
  readonly revertsId?: string | null
  readonly batchId?: string | null
  /** Reads a single record at the provider before changing it, so that a change made there since the last reading is not overwritten. */
  readonly lookFirst?: boolean
}

interface FailedChange {
  readonly kind: ChangeKind
  readonly index: number
  readonly recordId: string | null
  readonly code: string
  /** The provider's message. */
  readonly message: string | null
}

export interface AppliedChanges {
  /** The current records: those that were written and those that were unchanged. */
  readonly records: DnsRecord[]
  readonly done: number
  readonly failed: FailedChange[]
  /** The cause of the `failed` ones. */
  readonly error: AppError | null
}

/** A completed change with the provider's answer. */
interface Made {
  readonly change: PlannedChange
  readonly after: HostedRecord | null
}

/** Codes that mean the mirror is outdated: no such record, or it already exists. */
const staleCodes = new Set(['81044', '81053', '81057', '81058'])

/** Sends one call. A single change needs no batch. */
async function send({ connection, providerZoneId }: OpenZone, chunk: readonly PlannedChange[], call: CallOptions): Promise<Made[]> {
  const [only] = chunk
  if (only !== undefined && chunk.length === 1) {
    const { removes, patch, post } = only
    if (patch !== null) {
      const { recordId, ...change } = patch
      return [{ change: only, after: await connection.editRecord(providerZoneId, recordId, change, call) }]
    }
    if (removes === null && post !== null) return [{ change: only, after: await connection.createRecord(providerZoneId, post, call) }]
    if (removes !== null && post === null) {
      await connection.deleteRecord(providerZoneId, removes, call)
      return [{ change: only, after: null }]
    }
  }
  const deletes = chunk.flatMap(({ removes }) => (removes === null ? [] : [{ recordId: removes }]))
  const patches = chunk.flatMap(({ patch }) => (patch === null ? [] : [patch]))
  const posts = chunk.flatMap(({ post }) => (post === null ? [] : [post]))
  const result = await connection.changeRecords(
    providerZoneId,
    {
      ...(deletes.length === 0 ? {} : { deletes }),
      ...(patches.length === 0 ? {} : { patches }),
      ...(posts.length === 0 ? {} : { posts }),
    },
    call,
  )
  if (result.patches.length !== patches.length || result.posts.length !== posts.length) throw new AppError('provider_unreadable')
  const [patched, posted] = [result.patches.values(), result.posts.values()]
  return chunk.map((change) => {
    const next = change.patch === null ? (change.post === null ? null : posted.next().value) : patched.next().value
    return { change, after: next ?? null }
  })
}

const deletedBy = (changes: readonly PlannedChange[]) => changes.flatMap(({ removes }) => (removes === null ? [] : [removes]))

const labelOf = (record: { readonly type: string; readonly name: string }) => `${record.type} ${record.name}`

interface Kept {
  readonly ctx: Ctx
  readonly zone: OpenZone
  readonly made: readonly Made[]
  readonly options: ApplyOptions
}

function entriesOf({ zone, made, options }: Kept): HistoryEntry[] {
  return made.map(({ change, after }) => {
    const now = after === null ? null : toDnsRecord(after)
    const named = now ?? change.before
    return {
      domainId: zone.id,
      subject: 'record',
      key: named?.id ?? '',
      label: named === null ? '' : labelOf(named),
      before: change.before,
      after: now,
      revertsId: change.revertsId ?? options.revertsId ?? null,
    }
  })
}

const maxReported = 300
const reportedFields = ['type', 'name', 'content', 'ttl', 'proxied', 'priority', 'comment'] as const

/** The values of a single record before and after; for several records the history has them. */
function fieldsOf(made: readonly Made[]): Readonly<Record<string, { readonly from: unknown; readonly to: unknown }>> {
  const [one, ...others] = made
  if (one === undefined || others.length > 0) return {}
  const sides = [one.change.before, one.after === null ? null : toDnsRecord(one.after)]
  // For a created or deleted record the content is enough.
  const keys = sides.includes(null) ? (['content'] as const) : reportedFields
  const values = keys.map((key) => {
    const [from = null, to = null] = sides.map((side) => {
      const value = side?.[key] ?? null
      return typeof value === 'string' && value.length > maxReported ? `${value.slice(0, maxReported)}…` : value
    })
    return [key, { from, to }] as const
  })
  return Object.fromEntries(values.filter(([key]) => sides[0]?.[key] !== sides[1]?.[key]))
}

function auditOf({ zone, made, options }: Kept, entries: readonly HistoryEntry[]): AuditEntry {
  const count = (kind: ChangeKind) => made.filter(({ change }) => change.kind === kind).length
  const details = {
    part: 'records',
    source: options.source,
    created: count('create'),
    updated: count('update'),
    deleted: count('delete'),
    // Enough to find them; the history has all of them.
    records: entries.slice(0, 20).map(({ label }) => label),
    ...fieldsOf(made),
  }
  return { entityType: 'zone', entityId: zone.id, entityName: zone.name, ownerId: zone.ownerId, action: 'update', details }
}

/** Writes mirror, history, audit log and change events of several zones in one transaction. */
async function keepAll(tx: Transaction, all: readonly Kept[]): Promise<void> {
  const ids = all.map(({ zone }) => zone.id)
  await storeRecords(
    tx,
    all.map(({ zone, made }) => ({
      domainId: zone.id,
      deleted: deletedBy(made.map(({ change }) => change)),
      written: made.flatMap(({ after }) => (after === null ? [] : [after])),
    })),
  )
  const summed = listCounted(tx, ids).then((rows) => {
    const counted = Map.groupBy(rows, ({ domainId }) => domainId)
    return updateSummaries(
      tx,
      ids.map((id) => ({ id, ...summarizeRecords(counted.get(id) ?? []) })),
    )
  })
  await Promise.all([summed, ...publishRecordChanges(tx, all)])
}

/** Writes the history and the audit log and publishes the change events. */
function publishRecordChanges(tx: Queryable, all: readonly Kept[]): Promise<void>[] {
  // The changes of one operation or request become one entry.
  const together = Map.groupBy(all, ({ ctx, options }) => `${ctx.requestId} ${options.source} ${options.batchId ?? ''}`)
  const logged = [...together.values()].flatMap((some) => {
    const [first] = some
    if (first === undefined) return []
    const { ctx, options } = first
    const written = some.map((kept) => ({ kept, entries: entriesOf(kept) }))
    const history = { source: options.source, batchId: options.batchId ?? null }
    const entries = written.flatMap((one) => one.entries)
    return [writeHistory(tx, ctx, history, entries), audit(tx, ctx, ...written.map((one) => auditOf(one.kept, one.entries)))]
  })
  const published = [...Map.groupBy(all, ({ zone }) => zone.ownerId)].map(([ownerId, theirs]) => {
    const accountIds = [...new Set(theirs.map(({ zone }) => zone.accountId))]
    return theirs[0]?.ctx.events.publish(tx, ownerId, 'domains', accountIds) ?? Promise.resolve()
  })
  return [...logged, ...published]
}

// Two batches at a time: one computes while the other waits for the disk.
const keep = createStore<Kept>({ atMost: 100, sideBySide: 2 }, keepAll)

interface Deletions {
  readonly zone: OpenZone
  readonly recordIds: readonly string[]
  /** False: certainly not. */
  readonly isSent: boolean
}
/** Stored before they are sent, because their answers may be lost. */
const mark = createStore<Deletions>({ atMost: 100, sideBySide: 2 }, (tx, all) =>
  markDeletions(
    tx,
    all.map(({ zone, ...deletions }) => ({ domainId: zone.id, ...deletions })),
  ),
)

/** Readings for changes of many zones at about the same time are batched. */
const createFinder = (db: Database) => createBatchLoader<NamedRecords, Map<string, DnsRecord>>(200, (named) => listByIds(db.orm, named))
const finders = new WeakMap<Database, ReturnType<typeof createFinder>>()
function lookUpRecords({ db }: Ctx, named: NamedRecords): Promise<Map<string, DnsRecord>> {
  const find = finders.get(db) ?? createFinder(db)
  finders.set(db, find)
  return find(named)
}

/** Whether the record has the wanted values, which the provider may write in another notation. */
const carries = (record: HostedRecord, wanted: Partial<HostRecord>, zoneName: string): boolean =>
  (['type', 'name', 'ttl', 'proxied'] as const).every((field) => wanted[field] === undefined || record[field] === wanted[field]) &&
  (wanted.priority === undefined || record.priority === null || record.priority === wanted.priority) &&
  (wanted.comment === undefined || (record.comment ?? '') === wanted.comment) &&
  (wanted.content === undefined ||
    comparableContent(record.type, record.content, zoneName) === comparableContent(record.type, wanted.content, zoneName)) &&
  Object.entries(wanted.data ?? {}).every(([field, value]) => record.data?.[field] === value)

/**
 * Determines which changes of an unanswered call took effect, from the provider's current records; null if that is not possible. Each new
 * record accounts for one creation.
 */
async function findOut(ctx: Ctx, zone: OpenZone, chunk: readonly PlannedChange[], call: CallOptions): Promise<Made[] | null> {
  let now: readonly HostedRecord[]
  try {
    now = await zone.connection.listRecords(zone.providerZoneId, call)
  } catch {
    return null
  }
  const known = await listKnownIds(ctx.db.orm, zone.id)
  const byId = new Map(now.map((record) => [record.recordId, record]))
  const fresh = new Set(now.filter(({ recordId }) => !known.has(recordId)))
  return chunk.flatMap((change): Made[] => {
    const { post } = change
    if (post !== null) {
      const after = [...fresh].find((record) => carries(record, post, zone.name))
      if (after === undefined) return []
      fresh.delete(after)
      return [{ change, after }]
    }
    const after = byId.get(change.recordId ?? '') ?? null
    if (change.removes !== null) return after === null ? [{ change, after: null }] : []
    return after !== null && change.patch !== null && carries(after, change.patch, zone.name) ? [{ change, after }] : []
  })
}

/** Reads the records again to correct the mirror; if that fails, a sync does it later. */
async function readAgain(ctx: Ctx, zone: OpenZone, call: CallOptions): Promise<void> {
  try {
    await refreshPart(ctx, zone, 'records', call)
    await ctx.events.publish(ctx.db.orm, zone.ownerId, 'domains', [zone.accountId])
  } catch (error) {
    ctx.log.warn({ err: error, zone: zone.id }, 'failed to refresh records after a rejected change')
    await markDoubtful(ctx.db.orm, zone.id)
  }
}

function failuresOf(chunk: readonly PlannedChange[], refused: ReadonlySet<PlannedChange>, error: AppError): FailedChange[] {
  return chunk.map((change) => {
    const { kind, index, recordId } = change
    const guilty = refused.size === 0 || refused.has(change)
    return { kind, index, recordId, code: guilty ? error.code : 'held_back', message: guilty ? (error.provider?.message ?? null) : null }
  })
}

/** The records that the changes refer to; read from the provider first if the mirror lacks one or was never filled. */
async function namedRecords(ctx: Ctx, zone: OpenZone, changes: RecordChanges, call: CallOptions): Promise<Map<string, DnsRecord>> {
  const ids = [...(changes.deletes ?? []), ...(changes.updates ?? [])].map(({ recordId }) => recordId)
  const found = await lookUpRecords(ctx, { domainId: zone.id, recordIds: ids })
  if (zone.recordsReadAt !== null && ids.every((id) => found.has(id))) return found
  await refreshPart(ctx, zone, 'records', call)
  return lookUpRecords(ctx, { domainId: zone.id, recordIds: ids })
}

const lookedAt = ['type', 'name', 'content', 'ttl', 'proxied', 'priority', 'comment'] as const

/**
 * Compares a record at the provider with the mirror; a difference is stored in the mirror and the history.
 * @throws AppError conflict with the provider's record (JSON; `null` if deleted) if they differ, not_found if a record to delete no longer
 * exists
 */
async function requireSameThere(
  ctx: Ctx,
  zone: OpenZone,
  { kind, before: known }: PlannedChange & { readonly before: DnsRecord },
  call: CallOptions,
): Promise<void> {
  let there: DnsRecord | null = null
  try {
    there = toDnsRecord(await zone.connection.getRecord(zone.providerZoneId, known.id, call))
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'provider_not_found') throw error
  }
  if (there !== null && lookedAt.every((field) => there[field] === known[field])) return
  await readAgain(ctx, zone, call)
  const params = { recordId: known.id, index: 0 }
  if (there === null && kind === 'delete') throw new AppError('not_found', { params })
  throw new AppError('conflict', { params: { ...params, record: JSON.stringify(there) } })
}

/**
 * Changes the records of one zone in one call, or in as many as the plan's limit requires; each call is atomic. The first refused call ends
 * it; `records` contains what was done and stored in the mirror. Calls `serializeZoneChanges` itself.
 * @throws AppError not_found, conflict (with the current record), validation_failed: nothing was sent
 */
export function applyRecordChanges(ctx: Ctx, zone: OpenZone, changes: RecordChanges, given: ApplyOptions): Promise<AppliedChanges> {
  return serializeZoneChanges(zone.id, async () => {
    const call = { priority: given.priority }
    const mirror = await namedRecords(ctx, zone, changes, call)
    const { planned, unchanged } = planChanges(changes, mirror, zone.name)
    const [first] = planned
    const before = first?.before ?? null
    if (given.lookFirst === true && first !== undefined && before !== null) await requireSameThere(ctx, zone, { ...first, before }, call)
    const options = planned.length > 1 && given.batchId === undefined ? { ...given, batchId: randomUUID() } : given
    const records = [...unchanged]
    let done = unchanged.length
    const failed: FailedChange[] = []
    let failure: AppError | null = null

    const deleted = deletedBy(planned)
    const unsent: PlannedChange[] = []
    if (deleted.length > 0) await mark(ctx.db, { zone, recordIds: deleted, isSent: true })
    for (const chunk of chunkChanges(planned, batchSize(zone.plan))) {
      if (failure !== null) {
        failed.push(...failuresOf(chunk, new Set(chunk), new AppError('held_back')))
        unsent.push(...chunk)
        continue
      }
      let made: Made[]
      try {
        made = await send(zone, chunk, call)
      } catch (error) {
        if (!(error instanceof AppError)) throw error
        const outcomes = error.isUnclear ? await findOut(ctx, zone, chunk, call) : []
        made = outcomes ?? []
        if (made.length < chunk.length) {
          failure = error
          if (error.isUnclear) await markDoubtful(ctx.db.orm, zone.id)
          if (staleCodes.has(error.provider?.code ?? '') || error.code === 'provider_not_found') await readAgain(ctx, zone, call)
          const left = chunk.filter((change) => made.every((one) => one.change !== change))
          failed.push(...failuresOf(left, await culpritsOf(ctx, zone, left, error), error))
          if (!error.isUnclear) unsent.push(...left)
        }
      }
      if (made.length > 0) await keep(ctx.db, { ctx, zone, made, options })
      done += made.length
      records.push(...made.flatMap(({ after }) => (after === null ? [] : [toDnsRecord(after)])))
    }
    const recordIds = deletedBy(unsent)
    if (recordIds.length > 0) await mark(ctx.db, { zone, recordIds, isSent: false })
    return { records, done, failed, error: failure }
  })
}

async function culpritsOf(ctx: Ctx, zone: OpenZone, chunk: readonly PlannedChange[], error: AppError): Promise<Set<PlannedChange>> {
  if (error.provider === undefined || chunk.length === 1) return new Set(chunk)
  return findRefusedChanges(chunk, error.provider, (await listMirror(ctx.db.orm, zone.id)).records)
}
