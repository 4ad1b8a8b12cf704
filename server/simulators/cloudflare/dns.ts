import { bodyOf } from './call.ts'
import type { Call } from './call.ts'
import type { SimRecord, SimZone } from './model.ts'
import { recordView } from './record-view.ts'
import { draftRecords, getRecord, recordQuota } from './record-write.ts'
import { recordsOf } from './records.ts'
import { CloudflareError, ok, refuse } from './reply.ts'
import type { Reply } from './reply.ts'

const BATCH_MAX = { free: 200, paid: 3500 } as const

/** GET /zones/{zone}/dns_records/{record} */
export function getRecordDetails(call: Call, zone: SimZone): Reply {
  const records = new Map(recordsOf(call.state, zone).map((record) => [record.id, record]))
  return ok(recordView(getRecord(records, call.param)))
}

/** POST /zones/{zone}/dns_records */
export function createRecord(call: Call, zone: SimZone): Reply {
  return write(call, zone, (draft) => draft.insert(bodyOf(call)))
}

/** PUT /zones/{zone}/dns_records/{record} */
export function replaceRecord(call: Call, zone: SimZone): Reply {
  return write(call, zone, (draft) => draft.replace(call.param, bodyOf(call)))
}

/** PATCH /zones/{zone}/dns_records/{record} */
export function editRecord(call: Call, zone: SimZone): Reply {
  return write(call, zone, (draft) => draft.edit(call.param, bodyOf(call)))
}

/** DELETE /zones/{zone}/dns_records/{record} */
export function deleteRecord(call: Call, zone: SimZone): Reply {
  const draft = draftRecords(call.state, zone, call.nowMs)
  const record = draft.remove(call.param)
  draft.commit()
  return ok({ id: record.id })
}

/** POST /zones/{zone}/dns_records/batch: all or nothing, in the order deletes, patches, puts, posts. */
export function batchRecords(call: Call, zone: SimZone): Reply {
  const body = bodyOf(call)
  const [deletes, patches, puts, posts] = [list(body['deletes']), list(body['patches']), list(body['puts']), list(body['posts'])]
  const max = zone.plan === 'free' ? BATCH_MAX.free : BATCH_MAX.paid
  if (deletes.length + patches.length + puts.length + posts.length > max)
    throw refuse(400, 9207, `Request body is invalid: a batch may hold at most ${max} records on this plan.`)
  const draft = draftRecords(call.state, zone, call.nowMs)
  const result = {
    deletes: deletes.map(pointing('deletes', (item) => draft.remove(idOf(item)))),
    patches: patches.map(pointing('patches', (item) => draft.edit(idOf(item), item))),
    puts: puts.map(pointing('puts', (item) => draft.replace(idOf(item), item))),
    posts: posts.map(pointing('posts', (item) => draft.insert(item))),
  }
  draft.commit()
  return ok(result)
}

/** GET /zones/{zone}/dns_records/usage */
export function getRecordUsage(call: Call, zone: SimZone): Reply {
  return ok({ record_quota: recordQuota(zone), record_usage: recordsOf(call.state, zone).length })
}

function write(call: Call, zone: SimZone, change: (draft: ReturnType<typeof draftRecords>) => SimRecord): Reply {
  const draft = draftRecords(call.state, zone, call.nowMs)
  const record = change(draft)
  draft.commit()
  return ok(recordView(record))
}

/** The error names the entry of the batch. */
function pointing(name: string, change: (item: unknown) => SimRecord) {
  return (item: unknown, index: number) => {
    try {
      return recordView(change(item))
    } catch (error) {
      if (!(error instanceof CloudflareError)) throw error
      const source = { pointer: `/${name}/${index}` }
      throw new CloudflareError(
        error.status,
        error.errors.map((item) => ({ ...item, source })),
        error.headers,
      )
    }
  }
}

function list(value: unknown): readonly unknown[] {
  if (value === undefined || value === null) return []
  if (!Array.isArray(value)) throw refuse(400, 9207, 'Request body is invalid.')
  return value
}

function idOf(item: unknown): unknown {
  return typeof item === 'object' && item !== null && 'id' in item ? item.id : undefined
}
