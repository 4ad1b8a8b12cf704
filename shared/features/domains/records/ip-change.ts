import type { DnsRecord } from './schema.ts'

export interface IpChange {
  /** In the canonical form of record contents. */
  readonly address: string
  /** `replace`: every address of the family becomes this one. `add`: it is added beside them, and beside those of the other family. */
  readonly mode: 'replace' | 'add'
}

/** The records affected by a change of IP address; other names and types stay unchanged. */
interface IpChangePlan {
  readonly type: 'A' | 'AAAA'
  /** Records that get the address. */
  readonly updates: readonly DnsRecord[]
  /** Records whose name has the address already or gets it from another record: the provider rejects duplicates. */
  readonly deletes: readonly DnsRecord[]
  /** A new record of the same name is created beside each of these. */
  readonly creates: readonly DnsRecord[]
  /** Records that already have the address. */
  readonly unchanged: readonly DnsRecord[]
}

/** Plans the change name by name (R-DOM-14), for the preview and for the change itself. */
export function planIpChange(records: readonly DnsRecord[], { address, mode }: IpChange): IpChangePlan {
  const type = address.includes(':') ? 'AAAA' : 'A'
  const byName = Map.groupBy(
    records.filter((record) => record.type === type || (mode === 'add' && (record.type === 'A' || record.type === 'AAAA'))),
    (record) => record.name,
  )
  const updates: DnsRecord[] = []
  const deletes: DnsRecord[] = []
  const creates: DnsRecord[] = []
  const unchanged: DnsRecord[] = []
  for (const [first, ...others] of byName.values()) {
    if (first === undefined) continue
    const there = [first, ...others].find((record) => record.type === type && record.content === address)
    if (there !== undefined) unchanged.push(there)
    if (mode === 'add') {
      if (there === undefined) creates.push([first, ...others].find((record) => record.type === type) ?? first)
      continue
    }
    if (there === undefined) updates.push(first)
    deletes.push(...[first, ...others].filter((record) => record !== (there ?? first)))
  }
  return { type, updates, deletes, creates, unchanged }
}
