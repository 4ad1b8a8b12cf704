import type { Database } from '#server/db/client.ts'
import { compactCounts } from '#server/features/domains/list/counts.repo.ts'
import { seedZones } from '#server/testing/seed-zones.ts'
import type { DomainFilter } from '#shared/features/domains/schema.ts'
import { insertOwner } from './panel.ts'

const first = (ids: readonly string[], count: number) => ids.slice(0, count)

/** Filters that match all, many, few, one and none of an owner's zones. */
export const domainFilters = (accountIds: readonly string[], groupIds: readonly string[]): Readonly<Record<string, DomainFilter>> => ({
  none: {},
  'status active (90 %)': { status: 'active' },
  'status pending (6 %)': { status: 'pending' },
  'status error (2 %)': { status: 'error' },
  'ssl on (88 %)': { ssl: 'on' },
  'ssl flexible (49 %)': { ssl: 'flexible' },
  'ssl origin pull (none)': { ssl: 'origin_pull' },
  'https disabled (25 %)': { https: 'disabled' },
  'under attack (0.2 %)': { securityLevel: 'under_attack' },
  'security low (11 %)': { securityLevel: 'low' },
  'tls 1.3 (10 %)': { tlsMin: '1.3' },
  'health critical (1 %)': { health: 'critical' },
  'Bot Fight Mode on (33 %)': { botFightMode: 'enabled' },
  'DNSSEC error (0.2 %)': { dnssec: 'error' },
  'AI bots blocked, DNSSEC waiting (2 %)': { aiBots: 'block', dnssec: 'pending' },
  'one account (1 %)': { accountIds: first(accountIds, 1) },
  'three accounts (3 %)': { accountIds: first(accountIds, 3) },
  'group (5 %)': { groupIds: first(groupIds, 1) },
  'email, one account': { email: 'ops77@' },
  'email, many accounts': { email: 'team3' },
  'ip, whole (0.4 %)': { ip: '203.0.113.77' },
  'ip, beginning, all': { ip: '203.0.*' },
  'ip, network, few': { ip: '198.51.64.0/20' },
  'ip, beginning, few': { ip: '198.51.77.7*' },
  'substring, all': { search: 'o' },
  'substring, 10 %': { search: 'market' },
  'substring, few': { search: 'b9999' },
  'substring, 2 characters, few': { search: 'b7' },
  'substring, 2 characters, none': { search: 'zq' },
  'substring, none': { search: 'nowhere' },
  'substring, Unicode, 10 %': { search: 'приме' },
  'substring, Unicode, none': { search: 'ёлка' },
  'four filters': { status: 'pending', ssl: 'strict', https: 'disabled', health: 'ok' },
  'substring and two filters': { search: 'velvet', status: 'error', tlsMin: '1.3' },
  'group, account, health': { groupIds: first(groupIds, 1), accountIds: first(accountIds, 1), health: 'ok' },
})

/** 100,000 zones of one owner among 200,000, and filters that match all of them, many, few, one and none. */
export async function seedDomains(db: Database): Promise<{
  readonly owner: { readonly id: string; readonly token: string }
  readonly filters: Readonly<Record<string, DomainFilter>>
}> {
  const owner = await insertOwner(db)
  const other = await insertOwner(db)
  await seedZones(db, { ownerId: other.id, count: 100_000, prefix: 'a' })
  const { accountIds, groupIds } = await seedZones(db, { ownerId: owner.id, count: 100_000, prefix: 'b' })
  while ((await compactCounts(db)) > 0);
  for (const table of ['zones', 'zone_counts', 'zone_count_changes', 'accounts']) await db.sql.unsafe(`vacuum analyze ${table}`)
  return { owner, filters: domainFilters(accountIds, groupIds) }
}
