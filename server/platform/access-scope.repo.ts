import { inArray, or, sql } from 'drizzle-orm'
import type { SQL } from 'drizzle-orm'
import type { Database, Queryable, RawRow } from '#server/db/client.ts'
import { shares } from '#server/db/schema/index.ts'
import { personLabelText } from '#server/db/columns.ts'

type GrantRow = RawRow<typeof shares, 'granteeId' | 'ownerId' | 'accountId' | 'groupId' | 'registrarId' | 'trackerId' | 'level'> & {
  ownerName: string
}

/** What is shared with these people, in one prepared statement because every list depends on it. */
export const listGrants = ({ sql: pool }: Database, granteeIds: readonly string[]): Promise<GrantRow[]> =>
  pool<GrantRow[]>`
    select s.grantee_id, s.owner_id, ${pool.unsafe(personLabelText('u'))} as owner_name, s.account_id, s.group_id, s.registrar_id, s.tracker_id, s.level
    from shares s join users u on u.id = s.owner_id where s.grantee_id = any(${[...granteeIds]}::uuid[]) order by s.id`

/** Accounts in which the person sees zones through a share. */
export async function listAccountIdsBehind({ sql: pool }: Database, granteeId: string): Promise<string[]> {
  const rows = await pool<{ id: string }[]>`
    select account_id as id from shares where grantee_id = ${granteeId} and account_id is not null
    union
    select z.account_id from zones z where z.group_id = any(array(select group_id from shares where grantee_id = ${granteeId} and group_id is not null))`
  return rows.map(({ id }) => id)
}

const uuids = (ids: readonly string[]) => sql`${sql.param([...ids])}::uuid[]`

/** A query for the ids of other people's zones that are shared. */
export const selectSharedDomainIds = (shared: {
  readonly owners: readonly string[]
  readonly accountIds: readonly string[]
  readonly groupIds: readonly string[]
}): SQL => sql`
  select s.id from zones s where s.owner_id = any(${uuids(shared.owners)})
    and (s.account_id = any(${uuids(shared.accountIds)}) or s.group_id = any(${uuids(shared.groupIds)}))`

/** The resources about to be deleted. */
export interface Leaving {
  readonly accountIds?: readonly string[]
  readonly groupIds?: readonly string[]
  readonly registrarIds?: readonly string[]
  readonly trackerIds?: readonly string[]
  /** Shares given by these people and shares given to them. */
  readonly userIds?: readonly string[]
}

/** People affected by the end of these shares: the grantees and, if a user is deleted, those who shared with that user. */
export async function listPeopleBehind(
  db: Queryable,
  { accountIds = [], groupIds = [], registrarIds = [], trackerIds = [], userIds = [] }: Leaving,
): Promise<string[]> {
  const gone = new Set(userIds)
  const rows = await db
    .select({ ownerId: shares.ownerId, granteeId: shares.granteeId })
    .from(shares)
    .where(
      or(
        inArray(shares.accountId, [...accountIds]),
        inArray(shares.groupId, [...groupIds]),
        inArray(shares.registrarId, [...registrarIds]),
        inArray(shares.trackerId, [...trackerIds]),
        inArray(shares.ownerId, [...userIds]),
        inArray(shares.granteeId, [...userIds]),
      ),
    )
  return [...new Set(rows.map(({ ownerId, granteeId }) => (gone.has(granteeId) ? ownerId : granteeId)))].filter((id) => !gone.has(id))
}
