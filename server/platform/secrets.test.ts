import { randomBytes } from 'node:crypto'
import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { changeKeyFile, createSecrets, loadSecretKey } from '#server/platform/secrets.ts'
import { recordFlushes } from '#server/testing/power-cut.ts'
import { temporaryFolder } from '#server/testing/process.ts'

const key = randomBytes(32)
const refused = /unable to authenticate/

test('R-PRM-04 an encrypted value decrypts to the original, and each encryption differs', () => {
  const { encrypt, decrypt } = createSecrets(key)
  for (const plain of ['', 'key', 'ключ 🔑', 'x'.repeat(10_000)]) {
    const encrypted = [encrypt(plain, 'a'), encrypt(plain, 'a')]
    expect(encrypted[0]).not.toBe(encrypted[1])
    for (const one of encrypted) expect(decrypt(one, 'a')).toBe(plain)
    if (plain !== '') expect(encrypted.join()).not.toContain(plain)
  }
})

test('R-PRM-04 a changed, moved, truncated or differently keyed ciphertext cannot be decrypted', () => {
  const { encrypt, decrypt } = createSecrets(key)
  const encrypted = encrypt('secret', 'account:1:apiKey')
  const flipped = `${encrypted.slice(0, -2)}${encrypted.at(-2) === 'A' ? 'B' : 'A'}${encrypted.at(-1)}`
  expect(() => decrypt(encrypted, 'account:2:apiKey')).toThrow(refused)
  expect(() => decrypt(flipped, 'account:1:apiKey')).toThrow(refused)
  expect(() => decrypt(encrypted.slice(0, 10), 'account:1:apiKey')).toThrow(/tag/)
  expect(() => decrypt(encrypted.replace('v1', 'v2'), 'account:1:apiKey')).toThrow('unknown format')
  expect(() => createSecrets(randomBytes(32)).decrypt(encrypted, 'account:1:apiKey')).toThrow(refused)
})

test('a fingerprint matches the same value only with the same key', () => {
  const { fingerprint } = createSecrets(key)
  expect(fingerprint('a')).toBe(fingerprint('a'))
  expect(fingerprint('a')).not.toBe(fingerprint('b'))
  expect(fingerprint('a')).not.toBe(createSecrets(randomBytes(32)).fingerprint('a'))
})

test('the key is created once, readable by its owner only, also by concurrent starts; a damaged key is reported and kept', async () => {
  const { path, remove } = await temporaryFolder()
  onTestFinished(remove)
  const keys = await Promise.all([1, 2, 3].map(() => loadSecretKey(undefined, join(path, 'data'))))
  expect(new Set(keys.map((one) => one.toString('base64'))).size).toBe(1)
  expect((await stat(join(path, 'data/secret.key'))).mode & 0o777).toBe(0o600)
  expect(await loadSecretKey(key.toString('base64'), path)).toEqual(key)

  await mkdir(join(path, 'other'))
  await writeFile(join(path, 'other/secret.key'), 'short')
  await expect(loadSecretKey(undefined, join(path, 'other'))).rejects.toThrow('must contain 32 bytes')
  expect(await readFile(join(path, 'other/secret.key'), 'utf8')).toBe('short')
})

test('R-PRM-04 an aborted key rotation removes only the new key it created', async () => {
  const { path, remove } = await temporaryFolder()
  onTestFinished(remove)
  const old = await loadSecretKey(undefined, path)
  await (await changeKeyFile(path)).abandon()
  expect(await readdir(path)).toEqual(['secret.key'])

  const { to } = await changeKeyFile(path)
  const again = await changeKeyFile(path)
  await again.abandon()
  expect([again.from, again.to]).toEqual([old, to])
  await expect(loadSecretKey(undefined, path)).rejects.toThrow('was not completed')
  await again.finish()
  expect(await loadSecretKey(undefined, path)).toEqual(to)
})

test('R-PRM-04 a power failure never loses the key in use, whether at creation, during a rotation or after it', async () => {
  const [{ path, remove }, cuts] = await Promise.all([temporaryFolder(), temporaryFolder()])
  onTestFinished(async () => void (await Promise.all([remove(), cuts.remove()])))
  const disk = await recordFlushes(path)
  onTestFinished(disk.restore)
  const afterPowerCut = () => disk.cut(cuts.path)

  const first = await loadSecretKey(undefined, path)
  for (const folder of afterPowerCut()) expect(await loadSecretKey(undefined, folder)).toEqual(first)

  // From here on the database may contain secrets of either key.
  const { from, to, finish } = await changeKeyFile(path)
  for (const folder of afterPowerCut()) {
    const again = await changeKeyFile(folder)
    expect([again.from, again.to]).toEqual([from, to])
  }
  await finish()
  for (const folder of afterPowerCut()) expect(await loadSecretKey(undefined, folder)).toEqual(to)

  const next = await changeKeyFile(path)
  await next.abandon()
  for (const folder of afterPowerCut()) expect(await loadSecretKey(undefined, folder)).toEqual(to)
})
