import { connect, isPanelConnected } from '#server/db/client.ts'
import type { Database, RawRow, SqlTransaction } from '#server/db/client.ts'
import type { accounts, registrars } from '#server/db/schema/index.ts'
import { migrate } from '#server/db/migrate.ts'
import { compareHistory, HistoryDiverged, listApplied } from '#server/db/migration-history.ts'

export interface EncryptedColumn {
  readonly table: string
  readonly column: string
  /** The column that identifies the row, to which its values are bound. */
  readonly key: 'id' | 'user_id' | 'owner_id'
  readonly context: (key: string) => string
}

interface EncryptedValue {
  readonly key: string
  readonly encrypted: string
}

export const open = (url: string): Database => connect(url, { max: 2, name: 'zonedeck-rotate' })

export const inTransaction = <T>({ sql }: Database, work: (tx: SqlTransaction) => Promise<T>): Promise<T> => sql.begin(work) as Promise<T>

/** Makes the commit wait for the disk whatever the server's setting, because the old key is discarded right after it. */
export async function commitDurably(tx: SqlTransaction): Promise<void> {
  await tx`set local synchronous_commit = on`
}

export const isInUse = (tx: SqlTransaction): Promise<boolean> => isPanelConnected(tx)

/**
 * The number of this version's migrations applied to the database: 0 when it holds nothing of the panel, null for a newer version.
 * @throws HistoryDiverged when its migrations are different
 */
export async function findVersion(tx: SqlTransaction): Promise<number | null> {
  const history = compareHistory(await listApplied(tx))
  if (history.kind === 'diverged') throw new HistoryDiverged(history)
  return history.kind === 'newer' ? null : history.count
}

export const bringUp = (url: string): Promise<void> => migrate(url)

export const listEncrypted = (tx: SqlTransaction, { table, column, key }: EncryptedColumn) => tx<EncryptedValue[]>`
  select ${tx(key)}::text as key, ${tx(column)} as encrypted from ${tx(table)} where ${tx(column)} is not null order by 1 for update`

/** The newest rows by id, as ids are ordered by time. */
export const listNewestEncrypted = ({ sql }: Database, { table, column, key }: EncryptedColumn, limit: number) => sql<EncryptedValue[]>`
  select ${sql(key)}::text as key, ${sql(column)} as encrypted from ${sql(table)} where ${sql(column)} is not null order by ${sql(key)} desc limit ${limit}`

export async function storeEncrypted(
  tx: SqlTransaction,
  { table, column, key }: EncryptedColumn,
  values: readonly EncryptedValue[],
): Promise<void> {
  await tx`
    update ${tx(table)} t set ${tx(column)} = v.encrypted
    from json_to_recordset(${JSON.stringify(values)}::text::json) as v (key uuid, encrypted text) where t.${tx(key)} = v.key`
}

export const listAccounts = (tx: SqlTransaction) =>
  tx<
    (RawRow<typeof accounts, 'id' | 'kind' | 'email'> & { encrypted: string })[]
  >`select id, kind, email, api_key_sealed as encrypted from accounts`

export const listRegistrars = (tx: SqlTransaction) =>
  tx<
    (RawRow<typeof registrars, 'id' | 'provider' | 'sandbox'> & { encrypted: string })[]
  >`select id, provider, sandbox, credential_sealed as encrypted from registrars`

export async function storeHashes(
  tx: SqlTransaction,
  table: 'accounts' | 'registrars',
  hashes: readonly { readonly id: string; readonly hash: string }[],
): Promise<void> {
  await tx`
    update ${tx(table)} t set credential_hash = v.hash
    from json_to_recordset(${JSON.stringify(hashes)}::text::json) as v (id uuid, hash text) where t.id = v.id`
}

/** @returns the number of users who lost unused codes */
export async function deleteRecoveryCodes(tx: SqlTransaction): Promise<number> {
  const rows = await tx<{ count: number }[]>`
    with gone as (delete from recovery_codes returning user_id, used_at)
    select count(distinct user_id) filter (where used_at is null)::int as count from gone`
  return rows[0]?.count ?? 0
}
