import type { Queryable } from '#server/db/client.ts'
import { listProviderAccountsWithZones } from './change-feeds.repo.ts'

/** The account at the provider that has the zones, or else the only one; null if it is not known or one of several. */
export async function findProviderAccount(
  db: Queryable,
  account: { readonly id: string; readonly providerAccountIds: readonly string[] },
): Promise<string | null> {
  const withZones = await listProviderAccountsWithZones(db, account.id)
  const [only, ...others] = withZones.length > 0 ? withZones : account.providerAccountIds
  return others.length > 0 ? null : (only ?? null)
}
