import type { HostedRecord } from '#server/ports/dns-host.ts'
import type { DnsRecord } from '#shared/features/domains/records/schema.ts'

/** A record of the provider as everybody else sees it. */
export const toDnsRecord = ({ recordId, modifiedAt, ...record }: HostedRecord): DnsRecord => ({
  ...record,
  id: recordId,
  tags: [...record.tags],
  data: record.data === null ? null : { ...record.data },
  modifiedAt: modifiedAt?.toISOString() ?? null,
})
