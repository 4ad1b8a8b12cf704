import { credentialHashOf as accountHashOf } from '#server/features/accounts/index.ts'
import { credentialHashOf as registrarHashOf, credentialContext, storedCredential } from '#server/features/registrars/index.ts'
import { apiKeyContext } from '#server/features/sync/index.ts'
import type { SqlTransaction } from '#server/db/client.ts'
import type { Secrets } from '#server/platform/secrets.ts'
import {
  deleteRecoveryCodes,
  inTransaction,
  isInUse,
  listAccounts,
  listRegistrars,
  listSealed,
  open,
  storeHashes,
  storeSealed,
} from './key-rotation.repo.ts'
import { sealedColumns } from './sealed-columns.ts'

export interface KeyRotation {
  /** Values that are sealed with the new key now. */
  readonly resealed: number
  /** Neither key opens them: they were lost before. */
  readonly unreadable: readonly { readonly what: string; readonly count: number }[]
  /** People whose recovery codes were recognised by the old key alone, and are gone. */
  readonly withoutRecoveryCodes: number
}

/** It was not begun: nothing is sealed with the new key. */
export class RotationRefused extends Error {}

const openOrNull = (secrets: Secrets, sealed: string, context: string): string | null => {
  try {
    return secrets.open(sealed, context)
  } catch {
    return null
  }
}

/**
 * Seals everything that is sealed with one key with another one, in one transaction: a process that dies has changed nothing. Safe to run twice: what
 * the new key opens already stays.
 * @throws RotationRefused where the panel runs on the database, which would go on with the old key, or where the old key opens nothing of what there is
 */
export async function rotateKey(url: string, { from, to }: { readonly from: Secrets; readonly to: Secrets }): Promise<KeyRotation> {
  const db = open(url)
  try {
    return await inTransaction(db, async (tx) => {
      if (await isInUse(tx)) throw new RotationRefused('the panel runs on this database; stop every process of it first')
      const unreadable: { what: string; count: number }[] = []
      let resealed = 0
      let sealedAlready = 0
      for (const column of sealedColumns) {
        const values = await listSealed(tx, column)
        const opened = values.map(({ key, sealed }) => ({ key, plain: openOrNull(from, sealed, column.context(key)), sealed }))
        const fresh = opened.flatMap(({ key, plain }) => (plain === null ? [] : [{ key, sealed: to.seal(plain, column.context(key)) }]))
        const already = opened.filter(({ key, plain, sealed }) => plain === null && openOrNull(to, sealed, column.context(key)) !== null)
        await storeSealed(tx, column, fresh)
        resealed += fresh.length
        sealedAlready += already.length
        const lost = values.length - fresh.length - already.length
        if (lost > 0) unreadable.push({ what: `${column.table}.${column.column}`, count: lost })
      }
      if (unreadable.length > 0 && resealed + sealedAlready === 0)
        throw new RotationRefused('the key at hand opens none of the stored secrets')
      // Where nothing was sealed with the old key, codes and hashes are the new one's too.
      const changed = resealed > 0 || sealedAlready === 0
      if (changed) await renewHashes(tx, to)
      return { resealed, unreadable, withoutRecoveryCodes: changed ? await deleteRecoveryCodes(tx) : 0 }
    })
  } finally {
    await db.close()
  }
}

/** What recognises a credential without being able to read it is made with the key, too. */
async function renewHashes(tx: SqlTransaction, secrets: Secrets): Promise<void> {
  const accounts = await listAccounts(tx)
  const ofAccounts = accounts.flatMap(({ id, kind, email, sealed }) => {
    const apiKey = openOrNull(secrets, sealed, apiKeyContext(id))
    return apiKey === null ? [] : [{ id, hash: accountHashOf(secrets, { kind, email, apiKey }) }]
  })
  await storeHashes(tx, 'accounts', ofAccounts)
  const registrars = await listRegistrars(tx)
  const ofRegistrars = registrars.flatMap(({ id, provider, sandbox, sealed }) => {
    const text = openOrNull(secrets, sealed, credentialContext(id))
    return text === null ? [] : [{ id, hash: registrarHashOf(secrets, { provider, sandbox }, storedCredential.parse(JSON.parse(text))) }]
  })
  await storeHashes(tx, 'registrars', ofRegistrars)
}
