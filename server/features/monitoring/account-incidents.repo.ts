import { sql } from 'drizzle-orm'
import type { Transaction } from '#server/db/client.ts'

export interface AccountTroubles {
  /** Refused by the provider, and nobody has an incident of it yet. */
  readonly refused: readonly { readonly accountId: string; readonly ownerId: string; readonly email: string }[]
  /** Open incidents of accounts that work again. */
  readonly mended: readonly { readonly id: string; readonly ownerId: string }[]
  /** Open incidents of accounts that were deleted, or whose owner wants nothing watched. */
  readonly gone: readonly { readonly id: string; readonly ownerId: string }[]
}

export async function listAccountTroubles(tx: Transaction): Promise<AccountTroubles> {
  const refused = await tx.execute<{ accountId: string; ownerId: string; email: string }>(sql`
    select a.id as "accountId", a.owner_id as "ownerId", a.email from accounts a join monitor_settings s on s.owner_id = a.owner_id and s.enabled
    where a.health = 'auth_error'
      and not exists (select from incidents i where i.owner_id = a.owner_id and i.cause = 'account:' || a.id and i.closed_at is null)`)
  const open = await tx.execute<{ id: string; ownerId: string; health: string | null; enabled: boolean | null }>(sql`
    select i.id, i.owner_id as "ownerId", a.health, s.enabled from incidents i left join accounts a on a.id = i.account_id
      left join monitor_settings s on s.owner_id = i.owner_id
    where i.closed_at is null and i.zone_id is null`)
  const isGone = ({ health, enabled }: (typeof open)[number]) => health === null || enabled !== true
  return {
    refused,
    mended: open.filter((each) => !isGone(each) && (each.health === 'working' || each.health === 'unknown')),
    gone: open.filter(isGone),
  }
}
