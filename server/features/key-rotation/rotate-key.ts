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
  /** Values that are encrypted with the new key now. */
  readonly reencrypted: number
  /** Neither key opens them: they were lost before. */
  readonly unreadable: readonly { readonly what: string; readonly count: number }[]
  /** People whose recovery codes were recognised only by the old key, and are gone. */
  readonly withoutRecoveryCodes: number
}

/** Nothing is encrypted with the new key: it was not begun, or all of it was taken back. */
export class RotationRefused extends Error {}

const decryptOrNull = (secrets: Secrets, encrypted: string, context: string): string | null => {
  try {
    return secrets.decrypt(encrypted, context)
  } catch {
    return null
  }
}

/**
 * Encrypts everything that is encrypted with one key with another one, in one transaction: a process that dies has changed nothing. Safe to run twice: what
 * the new key opens already stays. A database of an older version is brought to this one first.
 * @throws RotationRefused where nothing is encrypted with the new key; among others, because the panel runs on the database and would go on with the old
 * key, because there is no panel in it, or because the old key opens nothing of what there is
 * @throws Error where nobody can say whether it was done: the database went away while it said so
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
  // Where nothing was encrypted with the old key, codes and hashes are the new one's too.
  const changed = reencrypted > 0 || encryptedAlready === 0
  if (changed) await renewHashes(tx, to)
  return { reencrypted, unreadable, withoutRecoveryCodes: changed ? await deleteRecoveryCodes(tx) : 0 }
}

/** What recognises a credential without being able to read it is made with the key, too. */
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
