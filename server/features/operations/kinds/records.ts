import { applyRecordChanges, planIpChange } from '#server/features/records/index.ts'
import type { RecordChanges } from '#server/features/records/index.ts'
import { refreshPart } from '#server/features/sync/index.ts'
import { openZone } from '#server/features/zone-access/index.ts'
import type { Ctx } from '#server/platform/context.ts'
import { AppError } from '#shared/errors/app-error.ts'
import { dnsAddRequest, dnsDeleteRequest, ipRequest } from '#shared/features/operations/schema.ts'
import { checkRecord, parseName } from '#shared/features/records/rules.ts'
import type { DnsRecord, RecordInput } from '#shared/features/records/schema.ts'
import type { OperationKind, Outcome, Planned, RunItem } from '../operation-kind.ts'
import type { PlanZone } from '../planned.ts'
import { listMirrors } from '../operations.repo.ts'

/** What is shown of a record. */
type Shown = Pick<DnsRecord, 'type' | 'name' | 'content' | 'ttl' | 'proxied' | 'priority' | 'comment'>
const shown = ({ type, name, content, ttl, proxied, priority, comment }: Shown): Shown => ({
  type,
  name,
  content,
  ttl,
  proxied,
  priority,
  comment,
})

/** The changes with what the mirror had when they were planned, so that what changed since is held back. */
interface Work {
  readonly changes: RecordChanges
}

function dangersOf(deleted: readonly DnsRecord[], after: readonly Shown[]): string[] {
  const dangers: string[] = []
  if (deleted.some(({ type }) => type === 'MX')) dangers.push('mail_record_goes')
  if (
    deleted.some(({ type, name, content }) => type === 'TXT' && (/v=spf1|v=DKIM1|v=DMARC1/i.test(content) || name.startsWith('_dmarc.')))
  ) {
    dangers.push('mail_record_goes')
  }
  if (after.some(({ type, proxied }) => (type === 'A' || type === 'AAAA') && !proxied)) dangers.push('origin_exposed')
  return [...new Set(dangers)]
}

function plannedOf(records: readonly DnsRecord[], changes: RecordChanges): Planned {
  const byId = new Map(records.map((record) => [record.id, record]))
  const { deletes = [], updates = [], creates = [] } = changes
  if (deletes.length + updates.length + creates.length === 0) return { unchanged: true }
  const deleted = deletes.flatMap(({ recordId }) => byId.get(recordId) ?? [])
  const updated = updates.flatMap(({ recordId, patch }) => {
    const before = byId.get(recordId)
    return before === undefined ? [] : [{ before, after: { ...before, content: patch.content ?? before.content } }]
  })
  const created = creates.map(({ record }) => ({ priority: null, comment: null, ttl: 1, proxied: false, ...record }) as Shown)
  const seen = (recordId: string) => {
    const record = byId.get(recordId)
    return record === undefined ? {} : { seen: shown(record) }
  }
  const work: Work = {
    changes: {
      deletes: deletes.map((change) => ({ ...change, ...seen(change.recordId) })),
      updates: updates.map((change) => ({ ...change, ...seen(change.recordId) })),
      creates,
    },
  }
  return {
    before: [...deleted, ...updated.map(({ before }) => before)].map(shown),
    after: [...updated.map(({ after }) => after), ...created].map(shown),
    dangers: dangersOf(deleted, [...updated.map(({ after }) => after), ...created]),
    calls: 1,
    work,
  }
}

/** Plans record changes of many zones; what the mirror has not read yet cannot be planned. */
async function planMany(
  ctx: Ctx,
  zones: readonly PlanZone[],
  change: (records: readonly DnsRecord[], zone: PlanZone) => RecordChanges,
): Promise<Planned[]> {
  const mirrors = await listMirrors(
    ctx.db,
    zones.map(({ id }) => id),
  )
  return zones.map((zone) => {
    if (!zone.recordsRead) return { refused: 'not_read_yet' }
    const records = mirrors.get(zone.id) ?? []
    try {
      return plannedOf(records, change(records, zone))
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      return { refused: error.issues?.[0]?.message ?? error.code }
    }
  })
}

/** Whether the records are as the changes would leave them: an earlier try took effect. */
function isDone(records: readonly DnsRecord[], { deletes = [], updates = [], creates = [] }: RecordChanges): boolean {
  const byId = new Map(records.map((record) => [record.id, record]))
  return (
    deletes.every(({ recordId }) => !byId.has(recordId)) &&
    updates.every(({ recordId, patch }) => byId.get(recordId)?.content === patch.content) &&
    creates.every(({ record }) =>
      records.some((each) => each.type === record.type && each.name === record.name && each.content === record.content),
    )
  )
}

async function runChanges(ctx: Ctx, { zoneId, operationId, plan, attempt }: RunItem): Promise<Outcome> {
  if (zoneId === null) throw new AppError('not_found')
  const zone = await openZone(ctx, zoneId)
  const { changes } = plan.work as Work
  if (attempt > 1) {
    await refreshPart(ctx, zone, 'records', { priority: 'bulk' })
    const records = (await listMirrors(ctx.db, [zoneId])).get(zoneId) ?? []
    if (isDone(records, changes)) return { state: 'done' }
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

export const ip: OperationKind<{ ipAddress: string; mode: 'replace' | 'add' }> = {
  name: 'ip',
  input: ipRequest,
  plan: (ctx, zones, input) => planMany(ctx, zones, (records) => planIpChange(records, input)),
  run: runChanges,
}

export const dnsAdd: OperationKind<{ records: RecordInput[] }> = {
  name: 'dns_add',
  input: dnsAddRequest,
  plan: (ctx, zones, { records: wanted }) =>
    planMany(ctx, zones, (records, zone) => ({
      creates: wanted.flatMap((record) => {
        const checked = checkRecord(record, zone.name)
        if (checked.record === null) {
          const [problem] = checked.problems
          throw new AppError('validation_failed', { issues: [{ path: 'records', message: problem?.code ?? 'invalid' }] })
        }
        const { type, name, content } = checked.record
        const there = records.some((each) => each.type === type && each.name === name && each.content === content)
        return there ? [] : [{ record: { ...record, name } }]
      }),
    })),
  run: runChanges,
}

export const dnsDelete: OperationKind<{ type?: string | undefined; name?: string | undefined; content?: string | undefined }> = {
  name: 'dns_delete',
  input: dnsDeleteRequest,
  plan: (ctx, zones, { type, name, content }) =>
    planMany(ctx, zones, (records, zone) => {
      const parsed = name === undefined || name === '' ? null : parseName(name, zone.name)
      const whole = parsed === null ? null : 'value' in parsed ? parsed.value : name
      const part = content?.toLowerCase() ?? ''
      return {
        deletes: records
          .filter(
            (record) =>
              (type === undefined || record.type === type) &&
              (whole === null || record.name === whole) &&
              (part === '' || record.content.toLowerCase().includes(part)),
          )
          .map(({ id }) => ({ recordId: id })),
      }
    }),
  run: runChanges,
}
