import { credentialHashOf as accountHashOf } from '#server/features/accounts/index.ts'
import { credentialHashOf as registrarHashOf, credentialContext, storedCredential } from '#server/features/registrars/index.ts'
import { apiKeyContext } from '#server/features/sync/index.ts'
import type { SqlTransaction } from '#server/db/client.ts'
import type { Secrets } from '#server/platform/secrets.ts'
import {
  bringUp,
  commitDurably,
  deleteRecoveryCodes,
  findVersion,
  inTransaction,
  isInUse,
  listAccounts,
  listRegistrars,
  listEncrypted,
  open,
  storeHashes,
  storeEncrypted,
} from './key-rotation.repo.ts'
import { encryptedColumns } from './encrypted-columns.ts'

interface KeyRotation {
  /** Number of values now encrypted with the new key. */
  readonly reencrypted: number
  /** Values that neither key decrypts; they were lost before. */
  readonly unreadable: readonly { readonly what: string; readonly count: number }[]
  /** Users whose recovery codes could be verified only with the old key, and are deleted. */
  readonly withoutRecoveryCodes: number
}

/** Nothing was encrypted with the new key: the rotation did not start or was rolled back. */
export class RotationRefused extends Error {}

const decryptOrNull = (secrets: Secrets, encrypted: string, context: string): string | null => {
  try {
    return secrets.decrypt(encrypted, context)
  } catch {
    return null
  }
}

/**
 * Re-encrypts everything from one key to another in one transaction, so that a process that dies changes nothing. Idempotent: values that the new key
 * already decrypts are kept. A database of an older version is migrated first.
 * @throws RotationRefused when nothing is encrypted with the new key, for example because the panel is running and would continue with the old key,
 * because the database has no panel, or because the old key decrypts none of the stored secrets
 * @throws Error when the outcome is unknown because the database connection was lost during the commit
 */
export async function rotateKey(url: string, keys: { readonly from: Secrets; readonly to: Secrets }): Promise<KeyRotation> {
  const db = open(url)
  let isThrough = false
  try {
    await inTransaction(db, refuseOthers)
    await bringUp(url)
    return await inTransaction(db, async (tx) => {
      await refuseUsed(tx)
      await commitDurably(tx)
      const rotation = await reencrypt(tx, keys)
      isThrough = true
      return rotation
    })
  } catch (error) {
    if (isThrough || error instanceof RotationRefused) throw error
    throw new RotationRefused(error instanceof Error ? error.message : String(error), { cause: error })
  } finally {
    await db.close()
  }
}

async function refuseUsed(tx: SqlTransaction): Promise<void> {
  if (await isInUse(tx)) throw new RotationRefused('the panel is running on this database; stop all of its processes first')
}

async function refuseOthers(tx: SqlTransaction): Promise<void> {
  await refuseUsed(tx)
  const version = await findVersion(tx)
  if (version === null) throw new RotationRefused('the database was migrated by a newer version; rotate the key with that version')
  if (version === 0)
    throw new RotationRefused(
      'the database contains no panel data; check that it is the right one. If it is, you can delete a leftover secret.key.next in DATA_DIR',
    )
}

async function reencrypt(tx: SqlTransaction, { from, to }: { readonly from: Secrets; readonly to: Secrets }): Promise<KeyRotation> {
  const unreadable: { what: string; count: number }[] = []
  let reencrypted = 0
  let encryptedAlready = 0
  for (const column of encryptedColumns) {
    const values = await listEncrypted(tx, column)
    const opened = values.map(({ key, encrypted }) => ({ key, plain: decryptOrNull(from, encrypted, column.context(key)), encrypted }))
    const fresh = opened.flatMap(({ key, plain }) => (plain === null ? [] : [{ key, encrypted: to.encrypt(plain, column.context(key)) }]))
    const already = opened.filter(
      ({ key, plain, encrypted }) => plain === null && decryptOrNull(to, encrypted, column.context(key)) !== null,
    )
    await storeEncrypted(tx, column, fresh)
    reencrypted += fresh.length
    encryptedAlready += already.length
    const lost = values.length - fresh.length - already.length
    if (lost > 0) unreadable.push({ what: `${column.table}.${column.column}`, count: lost })
  }
  if (unreadable.length > 0 && reencrypted + encryptedAlready === 0)
    throw new RotationRefused('the current key decrypts none of the stored secrets')
  // If nothing was encrypted with the old key, codes and hashes already belong to the new one.
  const changed = reencrypted > 0 || encryptedAlready === 0
  if (changed) await renewHashes(tx, to)
  return { reencrypted, unreadable, withoutRecoveryCodes: changed ? await deleteRecoveryCodes(tx) : 0 }
}

/** Hashes that recognize a credential without decrypting it also depend on the key. */
async function renewHashes(tx: SqlTransaction, secrets: Secrets): Promise<void> {
  const accounts = await listAccounts(tx)
  const ofAccounts = accounts.flatMap(({ id, kind, email, encrypted }) => {
    const apiKey = decryptOrNull(secrets, encrypted, apiKeyContext(id))
    return apiKey === null ? [] : [{ id, hash: accountHashOf(secrets, { kind, email, apiKey }) }]
  })
  await storeHashes(tx, 'accounts', ofAccounts)
  const registrars = await listRegistrars(tx)
  const ofRegistrars = registrars.flatMap(({ id, provider, sandbox, encrypted }) => {
    const text = decryptOrNull(secrets, encrypted, credentialContext(id))
    return text === null ? [] : [{ id, hash: registrarHashOf(secrets, { provider, sandbox }, storedCredential.parse(JSON.parse(text))) }]
  })
  await storeHashes(tx, 'registrars', ofRegistrars)
}
