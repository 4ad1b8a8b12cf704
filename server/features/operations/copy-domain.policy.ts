import { recordType } from '#shared/features/domains/records/schema.ts'
import type { DnsRecord } from '#shared/features/domains/records/schema.ts'
import { checkRecord } from '#shared/features/domains/records/rules.ts'
import type { CheckedRecord } from '#shared/features/domains/records/rules.ts'

/** Record types with a host name in their content. */
const ofHosts: ReadonlySet<string> = new Set(['CNAME', 'MX', 'SRV', 'PTR', 'HTTPS', 'SVCB'])
/** The provider sets these for each domain. */
const ofTheZone: ReadonlySet<string> = new Set(['NS', 'SOA'])

/**
 * The records of one domain rewritten for another: its own names and hosts become those of the target, other text stays.
 * @param from the source domain; `to` is the target, both in Punycode
 * @returns `left`: how many records are not possible in the target, not counting NS and SOA
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
