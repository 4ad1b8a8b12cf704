import type { SimRecord } from './model.ts'
import { PROXIABLE_TYPES } from './record-types.ts'
import { isoTime } from './zone-view.ts'

/** A record as returned by every DNS call. */
export function recordView(record: SimRecord) {
  return {
    id: record.id,
    name: record.name,
    type: record.type,
    content: record.content,
    ...(record.priority === null ? {} : { priority: record.priority }),
    ...(record.data === null ? {} : { data: record.data }),
    proxiable: PROXIABLE_TYPES.has(record.type),
    proxied: record.proxied,
    ttl: record.ttl,
    settings: record.settings,
    meta: {},
    comment: record.comment,
    tags: record.tags,
    created_on: isoTime(record.createdOnMs),
    modified_on: isoTime(record.modifiedOnMs),
  }
}
