import { openZone } from '../access/open-zone.ts'
import type { Ctx } from '#server/platform/context.ts'
import { AppError } from '#shared/errors/app-error.ts'
import type { DnsRecord, RecordInput, RecordPatch, RecordSeen } from '#shared/features/domains/records/schema.ts'
import { applyRecordChanges } from './apply-changes.ts'
import type { AppliedChanges } from './apply-changes.ts'
import type { RecordChanges } from './plan-changes.ts'

const byPerson = { priority: 'person', source: 'panel' } as const

/** Shortens the issue paths for a call with a single record. */
export function withOwnPaths(error: unknown): unknown {
  if (!(error instanceof AppError) || error.issues === undefined) return error
  return new AppError(error.code, { issues: error.issues.map((issue) => ({ ...issue, path: issue.path.replace(/^\w+\.0\./, '') })) })
}

/**
 * The provider would silently keep an automatic TTL.
 * @throws AppError validation_failed
 */
export function requireFittingTtls({ updates = [], creates = [] }: RecordChanges): void {
  const issueOf = (path: string, { proxied, ttl }: { readonly proxied?: boolean | undefined; readonly ttl?: number | undefined }) =>
    proxied === true && ttl !== undefined && ttl !== 1 ? [{ path, message: 'record_ttl_proxied' }] : []
  const issues = [
    ...updates.flatMap(({ patch }, index) => issueOf(`updates.${index}.ttl`, patch)),
    ...creates.flatMap(({ record }, index) => issueOf(`creates.${index}.ttl`, record)),
  ]
  if (issues.length > 0) throw new AppError('validation_failed', { issues })
}

async function changeOne(ctx: Ctx, id: string, changes: RecordChanges): Promise<DnsRecord | null> {
  const zone = await openZone(ctx, id)
  try {
    requireFittingTtls(changes)
    const { records, error } = await applyRecordChanges(ctx, zone, changes, { ...byPerson, lookFirst: true })
    if (error !== null) throw error
    return records[0] ?? null
  } catch (error) {
    throw withOwnPaths(error)
  }
}

const got = (record: DnsRecord | null): { record: DnsRecord } => {
  if (record === null) throw new AppError('provider_unreadable')
  return { record }
}

type Data = Readonly<Record<string, unknown>> | undefined
type NewRecord = Omit<RecordInput, 'content'> & { readonly content?: string | undefined; readonly data?: Data }

export async function createRecord(ctx: Ctx, { id, ...record }: NewRecord & { readonly id: string }) {
  return got(await changeOne(ctx, id, { creates: [{ record: { ...record, content: record.content ?? '' } }] }))
}

interface RecordUpdate extends RecordPatch {
  readonly id: string
  readonly recordId: string
  readonly data?: Data
  readonly seen?: RecordSeen | undefined
}

/** @throws AppError conflict if `seen` no longer matches, with the current record */
export async function updateRecord(ctx: Ctx, { id, recordId, seen, ...patch }: RecordUpdate) {
  return got(await changeOne(ctx, id, { updates: [{ recordId, patch, seen }] }))
}

export async function removeRecord(ctx: Ctx, { id, recordId }: { readonly id: string; readonly recordId: string }): Promise<void> {
  await changeOne(ctx, id, { deletes: [{ recordId }] })
}

interface ManyChanges {
  readonly id: string
  readonly deletes: readonly string[]
  readonly updates: NonNullable<RecordChanges['updates']>
  readonly creates: readonly RecordInput[]
}

/** Refusals by the provider are reported by row; an error that concerns all of them is thrown if nothing was done. */
export async function changeRecords(ctx: Ctx, { id, deletes, updates, creates }: ManyChanges): Promise<Omit<AppliedChanges, 'error'>> {
  const zone = await openZone(ctx, id)
  const changes = { deletes: deletes.map((recordId) => ({ recordId })), updates, creates: creates.map((record) => ({ record })) }
  requireFittingTtls(changes)
  const { error, ...outcome } = await applyRecordChanges(ctx, zone, changes, byPerson)
  const byRow = error === null || error.code === 'provider_rejected' || error.code === 'provider_not_found'
  if (!byRow && outcome.done === 0) throw error
  return outcome
}
