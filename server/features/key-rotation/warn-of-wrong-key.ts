import type { Services } from '#server/platform/context.ts'
import { listNewestEncrypted } from './key-rotation.repo.ts'
import { encryptedColumns } from './encrypted-columns.ts'

const lookedAt = 5

/**
 * Logs an error at startup when the key decrypts none of the stored secrets, so that failing accounts are explained. The panel starts anyway: after a
 * restore with a lost key, secrets are entered again.
 */
export async function warnOfWrongKey({ db, secrets, log }: Pick<Services, 'db' | 'secrets' | 'log'>): Promise<void> {
  const ofColumns = await Promise.all(
    encryptedColumns.map(async (column) =>
      (await listNewestEncrypted(db, column, lookedAt)).map(({ key, encrypted }) => ({ encrypted, context: column.context(key) })),
    ),
  )
  const values = ofColumns.flat()
  const fits = values.some(({ encrypted, context }) => {
    try {
      secrets.decrypt(encrypted, context)
      return true
    } catch {
      return false
    }
  })
  if (values.length === 0 || fits) return
  log.error(
    'the secret key is not the one that the stored secrets were encrypted with: accounts, registrars, trackers and alerts will not work; ' +
      'stop the panel, restore the original key (SECRET_KEY, or secret.key in DATA_DIR) and start it again, or enter the secrets again',
  )
}
