import ipaddr from 'ipaddr.js'
import type { Database } from '#server/db/client.ts'
import type { AccessScope } from '#server/platform/access-scope.ts'
import { escapeLike } from '#shared/text.ts'
import type { AddressDomain, AddressSort, OriginAddress } from '#shared/features/addresses/schema.ts'

/** A record of `r` with an address outside its domain; the index `dns_records_address` contains only those. */
const leads = `(r.type = 'A' or r.type = 'AAAA' or (r.type = 'CNAME' and right(r.name, length(r.content) + 1) <> '.' || r.content))`

/** In the given notation, and in the provider's. */
function spellingsOf(address: string): string[] {
  const text = address.toLowerCase().replace(/\.$/, '')
  return [address, ipaddr.IPv6.isValid(text) ? ipaddr.IPv6.parse(text).toRFC5952String() : text]
}

const scopeCondition = ({ owners, shared }: AccessScope, place: (value: unknown) => string) => {
  const owned = `z.owner_id = any(${place([...owners])}::uuid[])`
  return shared === null
    ? owned
    : `(${owned} or z.account_id = any(${place([...shared.accountIds])}::uuid[]) or z.group_id = any(${place([...shared.groupIds])}::uuid[]))`
}
/** A set that is read once: this keeps the index order, and grouping needs no sort. */
const recordScopeCondition = (scope: AccessScope, place: (value: unknown) => string) =>
  `(r.zone_id in (select z.id from zones z where ${scopeCondition(scope, place)} and z.gone_at is null)) is true`

const columns = { domains: 'domains', records: 'records', address: 'address' } as const satisfies Record<AddressSort['by'], string>

/** Addresses with their counts, equal counts sorted by address. `total` counts all matches; 0 on an empty page. */
export async function listGrouped(
  { sql }: Database,
  scope: AccessScope,
  query: {
    readonly search?: string | undefined
    readonly type?: OriginAddress['type'] | undefined
    readonly sort: AddressSort
    readonly after: { readonly value: string | number; readonly address: string } | null
    readonly limit: number
  },
): Promise<{ rows: OriginAddress[]; total: number }> {
  const values: unknown[] = []
  const place = (value: unknown) => `$${values.push(value)}`
  const tests = [leads, recordScopeCondition(scope, place)]
  const search = query.search?.toLowerCase() ?? ''
  if (search.includes('\0')) return { rows: [], total: 0 }
  if (search !== '') tests.push(`r.content like ${place(`%${escapeLike(search)}%`)}::text`)
  if (query.type !== undefined) tests.push(`r.type = ${place(query.type)}::text`)
  const { by, direction } = query.sort
  const column = columns[by]
  const beyond = direction === 'asc' ? '>' : '<'
  let rest = 'true'
  if (query.after !== null) {
    const value = `${place(query.after.value)}::${by === 'address' ? 'text' : 'int'}`
    rest =
      by === 'address'
        ? `address ${beyond} ${value}`
        : `(${column} ${beyond} ${value} or (${column} = ${value} and address > ${place(query.after.address)}::text))`
  }
  const rows = await sql.unsafe<(OriginAddress & { total: number })[]>(
    `select address, type, domains, records, proxied, total from (
      select r.content as address, min(r.type) as type, count(distinct r.zone_id)::int as domains, count(*)::int as records,
        count(*) filter (where r.proxied)::int as proxied, (count(*) over ())::int as total
      from dns_records r where ${tests.join(' and ')} group by r.content
    ) grouped where ${rest} order by ${by === 'address' ? '' : `${column} ${direction}, `}address ${by === 'address' ? direction : 'asc'} limit ${query.limit}`,
    values as never[],
  )
  return {
    rows: rows.map(({ address, type, domains, records, proxied }) => ({ address, type, domains, records, proxied })),
    total: rows[0]?.total ?? 0,
  }
}

/** Zones with a record that leads to the address, by name. */
export async function listZonesBehind(
  { sql }: Database,
  scope: AccessScope,
  address: string,
  { after, limit }: { readonly after: { readonly name: string; readonly id: string } | null; readonly limit: number },
): Promise<Omit<AddressDomain, 'displayName'>[]> {
  if (address.includes('\0')) return []
  const values: unknown[] = []
  const place = (value: unknown) => `$${values.push(value)}`
  return sql.unsafe<Omit<AddressDomain, 'displayName'>[]>(
    `select z.id, z.name, z.status, z.account_email as account,
      jsonb_agg(jsonb_build_object('type', r.type, 'name', r.name, 'proxied', r.proxied) order by r.name, r.type) as records
    from zones z join dns_records r on r.zone_id = z.id
    where ${scopeCondition(scope, place)} and z.gone_at is null and r.content = any(${place(spellingsOf(address))}::text[]) and ${leads}
      ${after === null ? '' : `and (z.name, z.id) > (${place(after.name)}::text, ${place(after.id)}::uuid)`}
    group by z.id order by z.name, z.id limit ${limit}`,
    values as never[],
  )
}

/** Their ids only, by name. */
export async function listDomainIdsBehind({ sql }: Database, scope: AccessScope, address: string, limit: number): Promise<string[]> {
  if (address.includes('\0')) return []
  const values: unknown[] = []
  const place = (value: unknown) => `$${values.push(value)}`
  const rows = await sql.unsafe<{ id: string }[]>(
    `select z.id from zones z
    where ${scopeCondition(scope, place)} and z.gone_at is null and z.id in (select r.zone_id from dns_records r where r.content = any(${place(spellingsOf(address))}::text[]) and ${leads})
    order by z.name, z.id limit ${limit}`,
    values as never[],
  )
  return rows.map(({ id }) => id)
}
