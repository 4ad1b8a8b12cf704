import { AppError } from '#shared/errors/app-error.ts'
import * as shared from '#shared/features/domains/records/ip-change.ts'
import { parseContent } from '#shared/features/domains/records/rules.ts'
import type { DnsRecord } from '#shared/features/domains/records/schema.ts'
import type { RecordChanges } from './plan-changes.ts'

export interface IpChange {
  readonly ipAddress: string
  readonly mode: shared.IpChange['mode']
}

/** @throws AppError validation_failed if the zone has no address of that family or, in add mode, no address at all */
export function planIpChange(records: readonly DnsRecord[], { ipAddress, mode }: IpChange): RecordChanges {
  const parsed = parseContent(ipAddress.includes(':') ? 'AAAA' : 'A', ipAddress, '')
  const address = 'value' in parsed ? parsed.value.content : ipAddress
  const { type, updates, deletes, creates, unchanged } = shared.planIpChange(records, { address, mode })
  if (updates.length + creates.length + unchanged.length === 0) {
    throw new AppError('validation_failed', { issues: [{ path: 'ipAddress', message: 'record_none_of_type', params: { type } }] })
  }
  return {
    deletes: deletes.map(({ id }) => ({ recordId: id })),
    updates: updates.map(({ id }) => ({ recordId: id, patch: { content: address } })),
    creates: creates.map(({ name, ttl, proxied }) => ({ record: { type, name, content: address, ttl, proxied } })),
  }
}
