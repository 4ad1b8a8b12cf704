import { isObject } from '../deliver.ts'
import type { JsonObject } from './call.ts'
import type { SimRecord, SimZone } from './model.ts'
import { parseRecord } from './record-content.ts'
import type { RecordFields } from './record-content.ts'
import { writableRecords } from './records.ts'
import { refuse } from './reply.ts'
import type { State } from './state.ts'

const QUOTA_CHANGED_MS = Date.UTC(2024, 8, 1)
const ADDRESS_TYPES = new Set(['A', 'AAAA', 'CNAME'])

/** Changes to the records of one zone that take effect only when `commit` is called. */
export type RecordDraft = ReturnType<typeof draftRecords>

export function draftRecords(state: State, zone: SimZone, nowMs: number) {
  const records = new Map(writableRecords(state, zone))

  return {
    insert(input: unknown): SimRecord {
      const fields = parseRecord(asObject(input), zone)
      requireNoConflict(records, fields, null)
      if (records.size >= recordQuota(zone)) throw refuse(400, 81045, 'The record quota for this zone has been exceeded.')
      const record = { ...fields, id: state.nextId(), createdOnMs: nowMs, modifiedOnMs: nowMs }
      records.set(record.id, record)
      return record
    },
    /** PUT: absent fields get their defaults. */
    replace(id: unknown, input: unknown): SimRecord {
      return change(id, parseRecord(withSameType(getRecord(records, id), asObject(input)), zone))
    },
    /** PATCH: absent fields stay. */
    edit(id: unknown, input: unknown): SimRecord {
      const record = getRecord(records, id)
      const { id: _id, createdOnMs: _created, modifiedOnMs: _modified, ...kept } = record
      const given = withSameType(record, asObject(input))
      // Enabling the proxy makes a record's TTL automatic.
      return change(id, parseRecord({ ...kept, ...given }, zone))
    },
    remove(id: unknown): SimRecord {
      const record = getRecord(records, id)
      records.delete(record.id)
      return record
    },
    commit(): void {
      state.changesOf(zone).records = records
      state.touch(zone)
    },
  }

  function change(id: unknown, fields: RecordFields): SimRecord {
    const before = getRecord(records, id)
    requireNoConflict(records, fields, before.id)
    const record = { ...fields, id: before.id, createdOnMs: before.createdOnMs, modifiedOnMs: nowMs }
    records.set(record.id, record)
    return record
  }
}

/** Maximum number of records in the zone. */
export function recordQuota(zone: SimZone): number {
  if (zone.plan !== 'free') return 3500
  return zone.createdOnMs < QUOTA_CHANGED_MS ? 1000 : 200
}

export function getRecord(records: ReadonlyMap<string, SimRecord>, id: unknown): SimRecord {
  const record = typeof id === 'string' ? records.get(id) : undefined
  if (record === undefined) throw refuse(404, 81044, 'Record does not exist.')
  return record
}

function requireNoConflict(records: ReadonlyMap<string, SimRecord>, fields: RecordFields, ownId: string | null): void {
  for (const other of records.values()) {
    if (other.id === ownId || other.name !== fields.name) continue
    if (other.type === fields.type && other.content === fields.content && other.priority === fields.priority) {
      if (other.ttl === fields.ttl && other.proxied === fields.proxied) throw refuse(400, 81058, 'An identical record already exists.')
      throw refuse(400, 81057, 'The record already exists.')
    }
    const bothAddresses = ADDRESS_TYPES.has(other.type) && ADDRESS_TYPES.has(fields.type)
    if (bothAddresses && (other.type === 'CNAME' || fields.type === 'CNAME'))
      throw refuse(400, 81053, 'An A, AAAA, or CNAME record with that host already exists.')
  }
}

function withSameType(record: SimRecord, input: JsonObject): JsonObject {
  if (input['type'] !== undefined && input['type'] !== record.type)
    throw refuse(400, 9207, 'Request body is invalid: the type of a record cannot be changed; delete it and create another.')
  return { ...input, type: record.type }
}

function asObject(input: unknown): JsonObject {
  if (!isObject(input)) throw refuse(400, 9207, 'Request body is invalid.')
  return input
}
