import { z } from 'zod'
import { isDeepStrictEqual } from 'node:util'
import { applyRecordChanges, serializeZoneChanges, openZone, planIpChange, recordChanges } from '#server/features/domains/index.ts'
import type { OpenZone, RecordChanges } from '#server/features/domains/index.ts'
import { refreshPart } from '#server/features/sync/index.ts'
import { listTrackerAddresses } from '#server/features/trackers/index.ts'
import type { Ctx } from '#server/platform/context.ts'
import { AppError } from '#shared/errors/app-error.ts'
import { ipRequest } from '#shared/features/operations/requests.ts'
import { comparableContent } from '#shared/features/domains/records/rules.ts'
import { seenOf } from '#shared/features/domains/records/record-types.ts'
import type { DnsRecord, RecordPatch, RecordSeen } from '#shared/features/domains/records/schema.ts'
import type { DomainOperationKind, Outcome, Planned, RunItem } from '../operation-kind.ts'
import type { PlanZone } from '../planned.ts'
import { listMirrors } from '../plan-reading.repo.ts'

/** The changes with the mirror's values at planning time, so that records changed since are not overwritten. */
const recordsWork = z.object({ changes: recordChanges })

const isAddress = ({ type }: Pick<RecordSeen, 'type'>) => type === 'A' || type === 'AAAA'
/** MX, SPF, DKIM, DMARC. */
const isMail = ({ type, name, content }: RecordSeen) =>
  type === 'MX' || /^_dmarc\.|\._domainkey\./.test(name) || (type === 'TXT' && /v=(?:spf|dkim|dmarc)1/i.test(content))
const addressesOf = (records: readonly RecordSeen[], proxied: boolean) =>
  new Set(records.filter((record) => isAddress(record) && record.proxied === proxied).map(({ content }) => content))

/** Whether the change would publish an address that the proxy hides. */
function exposes(all: readonly DnsRecord[], changed: readonly Change[]): boolean {
  if (changed.some(({ before, after }) => before?.proxied === true && after !== null && !after.proxied)) return true
  const open = addressesOf(all, false)
  const hidden = [...addressesOf(all, true)].filter((address) => !open.has(address))
  // The addresses that the changed records will use. If nothing was hidden before, nothing is exposed.
  const stays = changed.flatMap(({ before, after }) =>
    after?.proxied === true && (before === null ? hidden.length > 0 : hidden.includes(before.content)) ? [after.content] : [],
  )
  const behind = new Set([...hidden, ...stays])
  return changed.some(({ after }) => after !== null && isAddress(after) && !after.proxied && behind.has(after.content))
}

/** One record; null on the side where it does not exist. */
interface Change {
  readonly before: DnsRecord | null
  readonly after: RecordSeen | null
}

const leads = ({ type }: Pick<RecordSeen, 'type'>) => type === 'A' || type === 'AAAA' || type === 'CNAME'
const hostOf = (content: string) => content.toLowerCase().replace(/\.$/, '')

/** Warnings for the names whose addresses change: mail hosts, and sites that lose their last address. */
function warningsOfNames(all: readonly DnsRecord[], changed: readonly Change[]): string[] {
  const gone = new Set(changed.flatMap(({ before }) => before?.id ?? []))
  const after = [...all.filter(({ id }) => !gone.has(id)), ...changed.flatMap((change) => change.after ?? [])].filter(leads)
  const mailHosts = new Set(all.filter(({ type }) => type === 'MX').map(({ content }) => hostOf(content)))
  const touched = new Set(changed.flatMap(({ before }) => (before !== null && leads(before) ? [before.name] : [])))
  return [...touched].flatMap((name) => {
    const left = new Set(after.filter((record) => record.name === name).map(({ content }) => content))
    // Service names (`_dmarc`, DKIM keys) are not sites.
    if (left.size === 0) return mailHosts.has(name) ? ['mail_host_goes'] : /(?:^|\.)_/.test(name) ? [] : ['site_goes']
    const moved = all.some((record) => record.name === name && leads(record) && !left.has(record.content))
    return mailHosts.has(name) && moved ? ['mail_host_moves'] : []
  })
}

const noAddresses: ReadonlySet<string> = new Set()

/** Warnings about what the changes would expose: the address of a tracker, or of a server hidden behind the proxy. */
function warningsOfExposure(all: readonly DnsRecord[], changed: readonly Change[], ofTrackers: ReadonlySet<string>): string[] {
  const open = addressesOf(all, false)
  const [trackers, others] = [true, false].map((tracker) =>
    changed.filter(({ after }) => (after !== null && isAddress(after) && !after.proxied && ofTrackers.has(after.content)) === tracker),
  )
  const shows = trackers?.some(({ before, after }) => before?.proxied === true || (after !== null && !open.has(after.content))) === true
  return [...(shows ? ['tracker_exposed'] : []), ...(exposes(all, others ?? []) ? ['origin_exposed'] : [])]
}

/** @param ofTrackers addresses of the owner's trackers */
export function warningsOf(all: readonly DnsRecord[], changed: readonly Change[], ofTrackers: ReadonlySet<string> = noAddresses): string[] {
  // Changing only TTL or comment does not affect mail.
  const mailGoes = changed.some(
    ({ before, after }) =>
      before !== null &&
      isMail(before) &&
      (after === null || (['type', 'name', 'content', 'priority'] as const).some((field) => before[field] !== after[field])),
  )
  return [
    ...new Set([
      ...(mailGoes ? ['mail_record_goes'] : []),
      ...warningsOfNames(all, changed),
      ...warningsOfExposure(all, changed, ofTrackers),
    ]),
  ]
}

/** The record after a patch. */
export function patched(before: DnsRecord, patch: RecordPatch): DnsRecord {
  const proxied = patch.proxied ?? before.proxied
  return {
    ...before,
    type: patch.type ?? before.type,
    content: patch.content ?? before.content,
    proxied,
    ttl: proxied ? 1 : (patch.ttl ?? before.ttl),
    priority: patch.priority ?? before.priority,
    comment: patch.comment === undefined ? before.comment : patch.comment === '' ? null : patch.comment,
  }
}

/** The limit of one call on the smallest plan. */
const changesPerCall = 200

function plannedOf(records: readonly DnsRecord[], changes: RecordChanges, ofTrackers: ReadonlySet<string>): Planned {
  const byId = new Map(records.map((record) => [record.id, record]))
  const { deletes = [], updates = [], creates = [] } = changes
  const count = deletes.length + updates.length + creates.length
  if (count === 0) return { unchanged: true }
  const deleted = deletes.flatMap(({ recordId }) => byId.get(recordId) ?? [])
  const updated = updates.flatMap(({ recordId, patch }) => {
    const before = byId.get(recordId)
    return before === undefined ? [] : [{ before, after: patched(before, patch) }]
  })
  const created = creates.map(({ record: { ttl = 1, proxied = false, priority = null, comment = null, ...record } }) =>
    seenOf({ ...record, ttl, proxied, priority, comment }),
  )
  const seen = (recordId: string) => {
    const record = byId.get(recordId)
    return record === undefined ? {} : { seen: seenOf(record) }
  }
  const work: z.infer<typeof recordsWork> = {
    changes: {
      deletes: deletes.map((change) => ({ ...change, ...seen(change.recordId) })),
      updates: updates.map((change) => ({ ...change, ...seen(change.recordId) })),
      creates,
    },
  }
  return {
    before: [...deleted, ...updated.map(({ before }) => before)].map(seenOf),
    after: [...updated.map(({ after }) => after), ...created].map(seenOf),
    dangers: warningsOf(
      records,
      [...deleted.map((before) => ({ before, after: null })), ...updated, ...created.map((after) => ({ before: null, after }))],
      ofTrackers,
    ),
    // Existing records are read before they are changed.
    calls: Math.ceil(count / changesPerCall) + (deletes.length + updates.length > 0 ? 1 : 0),
    work,
  }
}

/** Whether a record would be created at the name of one that is kept as missing. */
export function createsAtMissing({ missingNames }: Pick<PlanZone, 'missingNames'>, { creates = [] }: RecordChanges): boolean {
  const missing = new Set(missingNames)
  return creates.some(({ record }) => missing.has(record.name))
}

/** Plans record changes of many zones. A zone whose records were never read is refused. */
export async function planMany(
  ctx: Ctx,
  zones: readonly PlanZone[],
  change: (records: readonly DnsRecord[], zone: PlanZone) => RecordChanges,
): Promise<Planned[]> {
  const [mirrors, ofTrackers] = await Promise.all([
    listMirrors(
      ctx.db,
      zones.map(({ id }) => id),
    ),
    listTrackerAddresses(
      ctx,
      zones.map(({ ownerId }) => ownerId),
    ),
  ])
  return zones.map((zone) => {
    if (!zone.recordsRead) return { refused: 'not_read_yet' }
    const records = mirrors.get(zone.id) ?? []
    try {
      const changes = change(records, zone)
      if (createsAtMissing(zone, changes)) return { refused: 'records_missing' }
      return plannedOf(records, changes, ofTrackers.get(zone.ownerId) ?? noAddresses)
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      return { refused: error.issues?.[0]?.message ?? error.code }
    }
  })
}

/** The changes that earlier attempts have not made yet, compared with the current records. */
function leftOf(
  records: readonly DnsRecord[],
  zoneName: string,
  { deletes = [], updates = [], creates = [] }: RecordChanges,
): RecordChanges {
  const byId = new Map(records.map((record) => [record.id, record]))
  const has = (type: string, name: string, content: string, priority: number | null = null) => {
    const wanted = comparableContent(type, content, zoneName)
    return records.some(
      (each) =>
        each.type === type &&
        each.name === name &&
        (priority === null || each.priority === null || each.priority === priority) &&
        comparableContent(each.type, each.content, zoneName) === wanted,
    )
  }
  return {
    deletes: deletes.filter(({ recordId }) => byId.has(recordId)),
    updates: updates.filter(({ recordId, patch, seen }) => {
      const now = byId.get(recordId)
      const content = patch.content ?? seen?.content ?? ''
      // Another type means another record in its place.
      if (now === undefined) return seen === undefined || !has(patch.type ?? seen.type, seen.name, content)
      const after = patched(now, patch)
      return (
        comparableContent(now.type, now.content, zoneName) !== comparableContent(now.type, after.content, zoneName) ||
        (['proxied', 'ttl', 'priority', 'comment'] as const).some((field) => now[field] !== after[field])
      )
    }),
    creates: creates.filter(({ record }) => !has(record.type, record.name, record.content, record.priority)),
  }
}

const isNothing = ({ deletes = [], updates = [], creates = [] }: RecordChanges) => deletes.length + updates.length + creates.length === 0

/** Whether the provider's records still match the plan: the mirror may not know of a recent change there. */
async function isSameThere(zone: OpenZone, { deletes = [], updates = [] }: RecordChanges): Promise<boolean> {
  const planned = [...deletes, ...updates]
  if (planned.length === 0) return true
  const there = new Map(
    (await zone.connection.listRecords(zone.providerZoneId, { priority: 'bulk' })).map((record) => [record.recordId, record]),
  )
  return planned.every(({ recordId, seen }) => {
    const record = there.get(recordId)
    return record !== undefined && (seen === undefined || isDeepStrictEqual(seenOf(record), seenOf(seen)))
  })
}

export async function runChanges(ctx: Ctx, { domainId, operationId, plan, attempt }: RunItem): Promise<Outcome> {
  if (domainId === null) throw new AppError('not_found')
  const zone = await openZone(ctx, domainId)
  let { changes } = recordsWork.parse(plan.work)
  if (attempt > 1) {
    // Serialized with other changes of the zone: a reading older than a change would be discarded.
    await serializeZoneChanges(domainId, () => refreshPart(ctx, zone, 'records', { priority: 'bulk' }))
    const records = (await listMirrors(ctx.db, [domainId])).get(domainId) ?? []
    changes = leftOf(records, zone.name, changes)
    if (isNothing(changes)) return { state: 'done' }
  } else if (!(await isSameThere(zone, changes))) {
    await refreshPart(ctx, zone, 'records', { priority: 'bulk' })
    return { state: 'skipped', code: 'changed_since' }
  }
  try {
    const { error } = await applyRecordChanges(ctx, zone, changes, { priority: 'bulk', source: 'operation', batchId: operationId })
    if (error !== null) throw error
    return { state: 'done' }
  } catch (error) {
    if (error instanceof AppError && (error.code === 'conflict' || (error.code === 'not_found' && 'recordId' in error.params))) {
      return { state: 'skipped', code: 'changed_since' }
    }
    throw error
  }
}

export const ip: DomainOperationKind<{ ipAddress: string; mode: 'replace' | 'add' }> = {
  input: ipRequest,
  plan: (ctx, zones, input) => planMany(ctx, zones, (records) => planIpChange(records, input)),
  run: runChanges,
}
