import { connect } from '#server/db/client.ts'
import type { Database, SqlTransaction } from '#server/db/client.ts'
import type { SealedColumn } from './sealed-columns.ts'

export interface SealedValue {
  readonly key: string
  readonly sealed: string
}

export const open = (url: string): Database => connect(url, { max: 2, name: 'zonedeck-rotate' })

export const inTransaction = <T>({ sql }: Database, work: (tx: SqlTransaction) => Promise<T>): Promise<T> => sql.begin(work) as Promise<T>

/** Whether a process of the panel is connected to this database. */
export async function isInUse(tx: SqlTransaction): Promise<boolean> {
  const rows = await tx`
    select from pg_stat_activity
    where datname = current_database() and backend_type = 'client backend' and application_name = 'zonedeck' limit 1`
  return rows.length > 0
}

export const listSealed = (tx: SqlTransaction, { table, column, key }: SealedColumn) => tx<SealedValue[]>`
  select ${tx(key)}::text as key, ${tx(column)} as sealed from ${tx(table)} where ${tx(column)} is not null order by 1 for update`

export async function storeSealed(tx: SqlTransaction, { table, column, key }: SealedColumn, values: readonly SealedValue[]): Promise<void> {
  await tx`
    update ${tx(table)} t set ${tx(column)} = v.sealed
    from json_to_recordset(${JSON.stringify(values)}::text::json) as v (key uuid, sealed text) where t.${tx(key)} = v.key`
}

export const listAccounts = (tx: SqlTransaction) =>
  tx<
    { id: string; kind: 'global_key' | 'api_token'; email: string; sealed: string }[]
  >`select id, kind, email, api_key_sealed as sealed from accounts`

export const listRegistrars = (tx: SqlTransaction) =>
  tx<
    { id: string; provider: 'NAMECHEAP' | 'GODADDY' | 'PORKBUN' | 'REGRU' | 'OTHER'; sandbox: boolean; sealed: string }[]
  >`select id, provider, sandbox, credential_sealed as sealed from registrars`

export async function storeHashes(
  tx: SqlTransaction,
  table: 'accounts' | 'registrars',
  hashes: readonly { readonly id: string; readonly hash: string }[],
): Promise<void> {
  await tx`
    update ${tx(table)} t set credential_hash = v.hash
    from json_to_recordset(${JSON.stringify(hashes)}::text::json) as v (id uuid, hash text) where t.id = v.id`
}

/** @returns of how many people there were some that could still be used */
export async function deleteRecoveryCodes(tx: SqlTransaction): Promise<number> {
  const rows = await tx<{ count: number }[]>`
    with gone as (delete from recovery_codes returning user_id, used_at)
    select count(distinct user_id) filter (where used_at is null)::int as count from gone`
  return rows[0]?.count ?? 0
}
