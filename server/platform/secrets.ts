import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes, randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { chmod, link, mkdir, readFile, rename, unlink, writeFile, open } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { AppError } from '#shared/errors/app-error.ts'
import type { UnreadableSecret } from '#shared/errors/codes.ts'

/** Encrypts values that are read again, and fingerprints values that are only compared. */
export interface Secrets {
  /** AES-256-GCM; `context` (such as `account:<id>:apiKey`) must be the same when decrypting, so a value cannot be moved to another row. */
  encrypt(plain: string, context: string): string
  /** @throws Error if the value was changed, moved, or encrypted with another key. */
  decrypt(encrypted: string, context: string): string
  /** Keyed hash: equal for equal input, reveals nothing else. */
  fingerprint(plain: string): string
}

export function createSecrets(key: Buffer): Secrets {
  const derive = (purpose: string) => Buffer.from(hkdfSync('sha256', key, '', `zonedeck:${purpose}`, 32))
  const encryptionKey = derive('seal')
  const fingerprintKey = derive('fingerprint')
  return {
    encrypt(plain, context) {
      const iv = randomBytes(12)
      const cipher = createCipheriv('aes-256-gcm', encryptionKey, iv).setAAD(Buffer.from(context))
      const body = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()])
      return `v1.${Buffer.concat([iv, cipher.getAuthTag(), body]).toString('base64url')}`
    },
    decrypt(encrypted, context) {
      if (!encrypted.startsWith('v1.')) throw new Error('encrypted in an unknown format')
      const bytes = Buffer.from(encrypted.slice(3), 'base64url')
      const decipher = createDecipheriv('aes-256-gcm', encryptionKey, bytes.subarray(0, 12))
        .setAAD(Buffer.from(context))
        .setAuthTag(bytes.subarray(12, 28))
      return decipher.update(bytes.subarray(28), undefined, 'utf8') + decipher.final('utf8')
    },
    fingerprint: (plain) => createHmac('sha256', fingerprintKey).update(plain).digest('base64url'),
  }
}

interface StoredSecret {
  readonly encrypted: string
  readonly context: string
  readonly secret: UnreadableSecret
  /** The owner as known to people: an account's email, a registrar's name. */
  readonly name: string
}

/** @throws AppError secret_unreadable with what must be entered again */
export function decryptStored(secrets: Pick<Secrets, 'decrypt'>, { encrypted, context, secret, name }: StoredSecret): string {
  try {
    return secrets.decrypt(encrypted, context)
  } catch (error) {
    throw new AppError('secret_unreadable', { params: { secret, name }, cause: error })
  }
}

const keyFile = (dataDir: string) => join(dataDir, 'secret.key')
const nextKeyFile = (dataDir: string) => join(dataDir, 'secret.key.next')

/**
 * Reads the key from a file (0600), generating it if missing. It is flushed to disk before this returns, because data encrypted with it may
 * survive a power failure.
 */
async function keyIn(path: string): Promise<Buffer> {
  const folder = dirname(path)
  const created = await mkdir(folder, { recursive: true })
  if (created !== undefined) await syncFolder(dirname(created))
  // Written completely to a temporary file and linked into place: a crash or a concurrent start never leaves a partial key.
  const draft = `${path}.${randomUUID()}`
  await writeFile(draft, `${randomBytes(32).toString('base64')}\n`, { mode: 0o600, flush: true })
  await link(draft, path).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error
  })
  await unlink(draft)
  await syncFolder(folder)
  await chmod(path, 0o600)
  const key = Buffer.from((await readFile(path, 'utf8')).trim(), 'base64')
  if (key.length !== 32) throw new Error(`${path} must contain 32 bytes in base64`)
  return key
}

/**
 * The given key, or the one in `dataDir/secret.key`, generated there (0600) at the first start.
 * @throws Error if a key rotation was started and not completed: secrets may be encrypted with the other key
 */
export async function loadSecretKey(given: string | undefined, dataDir: string): Promise<Buffer> {
  if (given !== undefined) return Buffer.from(given, 'base64')
  if (existsSync(nextKeyFile(dataDir))) {
    throw new Error(`a key rotation was not completed (${nextKeyFile(dataDir)}); run \`npm run cli -- rotate-key\` again`)
  }
  return keyIn(keyFile(dataDir))
}

export interface KeyChange {
  readonly from: Buffer
  readonly to: Buffer
  /** Makes the new key the active one; call it when nothing is encrypted with the old one any more. */
  finish(): Promise<void>
  /**
   * Deletes the new key if this rotation created it, so that the old one stays active; call it when nothing was encrypted with the new one.
   */
  abandon(): Promise<void>
}

/** The key in `dataDir` and a new one, generated beside it or left by an incomplete rotation. */
export async function changeKeyFile(dataDir: string): Promise<KeyChange> {
  const next = nextKeyFile(dataDir)
  const begunBefore = existsSync(next)
  const from = await keyIn(keyFile(dataDir))
  const to = await keyIn(next)
  return {
    from,
    to,
    async finish() {
      await rename(next, keyFile(dataDir))
      await syncFolder(dataDir)
    },
    async abandon() {
      if (begunBefore) return
      await unlink(next)
      await syncFolder(dataDir)
    },
  }
}

/** Flushes a folder's entries to disk: until then a power failure may undo files created, renamed or deleted in it. */
async function syncFolder(path: string): Promise<void> {
  // Windows journals its directory entries and refuses to open a folder.
  if (process.platform === 'win32') return
  const folder = await open(path, 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}
