import { recordType } from '#shared/features/domains/records/schema.ts'
import type { DnsRecord } from '#shared/features/domains/records/schema.ts'
import { checkRecord } from '#shared/features/domains/records/rules.ts'
import type { CheckedRecord } from '#shared/features/domains/records/rules.ts'

/** Their contents name hosts. */
const ofHosts: ReadonlySet<string> = new Set(['CNAME', 'MX', 'SRV', 'PTR', 'HTTPS', 'SVCB'])
/** Each domain has its own, from the provider. */
const ofTheZone: ReadonlySet<string> = new Set(['NS', 'SOA'])

/**
 * One domain's records as another is to have them: its names, and hosts of its own, are the other's; other words stay.
 * @param from the domain that has the records, and `to` the one that is to have them; both Punycode
 * @returns `left`: how many cannot be there, beside those that every domain has of its own
 */
export function copyRecords(
  records: readonly DnsRecord[],
  from: string,
  to: string,
): { readonly wanted: CheckedRecord[]; readonly left: number } {
  const renamed = (host: string): string => {
    const bare = host.replace(/\.$/, '').toLowerCase()
    return bare === from ? to : bare.endsWith(`.${from}`) ? `${bare.slice(0, -from.length)}${to}` : host
  }
  const wanted: CheckedRecord[] = []
  let left = 0
  for (const { type: given, name, content, ttl, proxied, priority } of records) {
    if (ofTheZone.has(given)) continue
    const type = recordType.safeParse(given)
    const checked = type.success
      ? checkRecord(
          {
            type: type.data,
            name: renamed(name),
            content: ofHosts.has(given) ? content.split(' ').map(renamed).join(' ') : content,
            ttl,
            proxied,
            ...(priority === null ? {} : { priority }),
          },
          to,
        ).record
      : null
    if (checked === null) left += 1
    else wanted.push(checked)
  }
  return { wanted, left }
}
