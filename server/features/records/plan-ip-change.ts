import { AppError } from '#shared/errors/app-error.ts'
import { parseContent } from '#shared/features/records/rules.ts'
import type { DnsRecord } from '#shared/features/records/schema.ts'
import type { RecordChanges } from './plan-changes.ts'

export interface IpChange {
  readonly ipAddress: string
  /** `replace`: every address of the family becomes this one. `add`: it stands beside them. */
  readonly mode: 'replace' | 'add'
}

/**
 * Name by name. Where a name has several addresses, replacing leaves one record: the provider takes no two alike.
 * @throws AppError validation_failed where the zone has no address of that family
 */
export function planIpChange(records: readonly DnsRecord[], { ipAddress, mode }: IpChange): RecordChanges {
  const type = ipAddress.includes(':') ? 'AAAA' : 'A'
  const parsed = parseContent(type, ipAddress, '')
  const address = 'value' in parsed ? parsed.value.content : ipAddress
  const byName = Map.groupBy(
    records.filter((record) => record.type === type),
    (record) => record.name,
  )
  if (byName.size === 0) {
    throw new AppError('validation_failed', { issues: [{ path: 'ipAddress', message: 'record_none_of_type', params: { type } }] })
  }
  const deletes: { recordId: string }[] = []
  const updates: { recordId: string; patch: { content: string } }[] = []
  const creates: { record: { type: typeof type; name: string; content: string; ttl: number; proxied: boolean } }[] = []
  for (const [name, [first, ...others]] of byName) {
    if (first === undefined) continue
    const there = [first, ...others].find((record) => record.content === address)
    if (mode === 'add') {
      if (there === undefined) creates.push({ record: { type, name, content: address, ttl: first.ttl, proxied: first.proxied } })
      continue
    }
    const kept = there ?? first
    if (there === undefined) updates.push({ recordId: kept.id, patch: { content: address } })
    for (const { id } of [first, ...others]) if (id !== kept.id) deletes.push({ recordId: id })
  }
  return { deletes, updates, creates }
}
