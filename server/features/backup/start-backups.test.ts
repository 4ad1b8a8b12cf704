import { execFileSync } from 'node:child_process'
import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { readFigures } from '#server/features/metrics/index.ts'
import { createLog } from '#server/platform/log.ts'
import { createFakeClock } from '#server/testing/fake-clock.ts'
import type { FakeClock } from '#server/testing/fake-clock.ts'
import { createTestDatabase } from '#server/testing/database.ts'
import { temporaryFolder } from '#server/testing/process.ts'
import { createTestServices } from '#server/testing/services.ts'
import { failureOf, readBackupState } from './backup-state.ts'
import type { ScratchDatabase } from './prove-backup.ts'
import { startBackups } from './start-backups.ts'

const now = '2026-11-20T10:30:00.000Z'
const hours = 3_600_000
const minutes = 60_000

interface Scheduled {
  readonly clock: FakeClock
  readonly folder: string
  readonly logged: () => readonly { readonly level: number; readonly reason?: string; readonly folder?: string; readonly msg: string }[]
  readonly readState: () => Promise<{ readonly state: Awaited<ReturnType<typeof readBackupState>>; readonly failing: number | undefined }>
  readonly files: () => Promise<string[]>
  /** Resolves after the first check. */
  start(keep?: number, scratch?: ScratchDatabase | null): Promise<void>
  /** Advances the time, and waits for the work it starts. */
  pass(ms: number): Promise<void>
}

/** A panel that writes a backup every six hours and keeps two, with a folder that does not exist yet. */
async function scheduled(): Promise<Scheduled> {
  const { path, remove } = await temporaryFolder()
  onTestFinished(remove)
  const folder = join(path, 'backups')
  const clock = createFakeClock(Date.parse(now))
  const lines: string[] = []
  const { services, close } = await createTestServices({
    clock,
    log: createLog('info', { write: (line: string) => void lines.push(line) }),
  })
  onTestFinished(close)
  const idle = () => expect.poll(() => clock.sleeping, { timeout: 30_000 }).toBe(1)
  return {
    clock,
    folder,
    logged: () => lines.map((line) => JSON.parse(line) as ReturnType<Scheduled['logged']>[number]),
    readState: async () => ({
      state: await readBackupState(services),
      failing: (await readFigures(services))['zonedeck_backup_failing']?.[0]?.value,
    }),
    files: async () => (await readdir(folder)).toSorted((one, other) => (one < other ? -1 : 1)),
    async start(keep = 2, scratch = null as ScratchDatabase | null) {
      onTestFinished(startBackups(services, { folder, everyMs: 6 * hours, keep, scratch }))
      await idle()
    },
    async pass(ms) {
      await clock.advance(ms)
      await idle()
    },
  }
}

test('a missed backup is written at the start, leftovers of a killed process are deleted, and a wrong clock delays nothing', async () => {
  const { folder, files, start, pass, readState } = await scheduled()
  expect(await readState()).toEqual({ state: null, failing: undefined })
  await mkdir(folder, { recursive: true })
  const wrong = 'zonedeck-20991231-000000.backup.gz'
  for (const name of [wrong, 'zonedeck-20261117-100000.backup.gz', 'zonedeck-20261117-160000.backup.gz.0a1b2c3d.part', 'other.part'])
    await writeFile(join(folder, name), 'x')
  await start()
  expect(await files()).toEqual(['other.part', 'zonedeck-20261117-100000.backup.gz', 'zonedeck-20261120-103000.backup.gz', wrong])
  expect(await readState()).toEqual({ state: { writtenAt: now, failure: null, proof: { at: now, result: 'checked' } }, failing: 0 })
  await pass(minutes)
  expect(await files()).toHaveLength(4)
})

test('an unwritable folder is reported in the log, the panel and the metrics until it is writable', async () => {
  const { folder, files, start, pass, readState, logged } = await scheduled()
  // Unwritable for root, too.
  await writeFile(folder, 'a file')
  await start()
  expect(await readState()).toEqual({ state: { writtenAt: null, failure: { at: now, reason: 'not_writable' }, proof: null }, failing: 1 })
  expect(logged()).toMatchObject([{ level: 50, msg: 'failed to write a backup', reason: 'not_writable', folder }])
  await rm(folder)
  await pass(10 * minutes)
  expect(await files()).toEqual(['zonedeck-20261120-104000.backup.gz'])
  expect(await readState()).toEqual({
    state: { writtenAt: '2026-11-20T10:40:00.000Z', failure: null, proof: { at: '2026-11-20T10:40:00.000Z', result: 'checked' } },
    failing: 0,
  })
})

test('a folder that returns with a recent backup is reported as healthy at the next check', async () => {
  const { folder, files, start, pass, readState } = await scheduled()
  await start()
  await rename(folder, `${folder}.away`)
  await writeFile(folder, 'a file')
  await pass(minutes)
  expect(await readState()).toMatchObject({ state: { failure: { reason: 'not_writable' } }, failing: 1 })
  await rm(folder)
  await rename(`${folder}.away`, folder)
  await pass(10 * minutes)
  expect(await files()).toHaveLength(1)
  expect(await readState()).toEqual({ state: { writtenAt: now, failure: null, proof: { at: now, result: 'checked' } }, failing: 0 })
})

test('backups dated in the future do not count towards retention', async () => {
  const { folder, files, start, pass } = await scheduled()
  await mkdir(folder, { recursive: true })
  const wrong = ['zonedeck-20270101-000000.backup.gz', 'zonedeck-20991231-000000.backup.gz']
  for (const name of wrong) await writeFile(join(folder, name), 'x')
  await start(1)
  expect(await files()).toEqual(['zonedeck-20261120-103000.backup.gz', ...wrong])
  await pass(6 * hours)
  expect(await files()).toEqual(['zonedeck-20261120-163000.backup.gz', ...wrong])
})

/** Without permission to mount, a full disk cannot be simulated. */
const mayMount = (() => {
  try {
    execFileSync('unshare', ['-m', 'mount', '-t', 'tmpfs', 'none', '/mnt'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
})()

test.skipIf(!mayMount)(
  'a full disk is reported as such, leaves no partial backup, and the next backup is written once there is space',
  async () => {
    const { folder, files, start, pass, readState } = await scheduled()
    await mkdir(folder)
    const mount = (...options: string[]) => execFileSync('mount', ['-t', 'tmpfs', '-o', ...options, 'none', folder])
    mount('size=4k')
    onTestFinished(() => void execFileSync('umount', [folder]))
    await writeFile(join(folder, 'others'), Buffer.alloc(4_096))
    await start()
    expect(await readState()).toMatchObject({ state: { writtenAt: null, failure: { reason: 'disk_full' } }, failing: 1 })
    expect(await files()).toEqual(['others'])
    mount('remount,size=4m')
    await pass(10 * minutes)
    expect(await files()).toHaveLength(2)
    expect(await readState()).toMatchObject({ state: { failure: null }, failing: 0 })
  },
)

test.each([
  ['ENOSPC', 'disk_full'],
  ['EDQUOT', 'disk_full'],
  ['EACCES', 'not_writable'],
  ['EROFS', 'not_writable'],
  ['57P01', 'other'],
])('%s is %s', (code, reason) => {
  expect(failureOf(Object.assign(new Error(code), { code }))).toBe(reason)
})

test('R-APP-02 a scheduled backup is test-restored into a scratch database that is then dropped, and a failure is reported', async () => {
  const scratch = await createTestDatabase()
  onTestFinished(() => scratch.close())
  const s = await scheduled()
  await s.start(2, { url: scratch.url, folder: s.folder })
  expect((await s.readState()).state?.proof).toEqual({ at: now, result: 'restored' })
  expect(await scratch.db.sql`select from users`).toEqual([])
  expect((await s.readState()).failing).toBe(0)

  // Objects of others in the scratch database are not dropped.
  await scratch.db.sql`create table theirs (id int)`
  await s.pass(6 * hours)
  expect((await s.readState()).state).toMatchObject({ failure: null, proof: { result: 'failed' } })
  expect((await s.readState()).failing).toBe(1)
  expect(s.logged().filter(({ level }) => level === 50)).toMatchObject([{ msg: 'the test restore of the newest backup failed' }])
  expect(await s.files()).toHaveLength(2)
  expect(await scratch.db.sql`select from theirs`).toEqual([])

  await scratch.db.sql`drop table theirs`
  await s.pass(6 * hours)
  expect((await s.readState()).state?.proof?.result).toBe('restored')
  expect((await s.readState()).failing).toBe(0)
})
