import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import postgres from 'postgres'
import { startEmbedded } from '#server/db/embedded.ts'
import { createLog } from '#server/platform/log.ts'

/** Durability and autovacuum are disabled, because tables live for minutes. */
const spared = ['fsync', 'full_page_writes', 'synchronous_commit', 'autovacuum']

/** A PostgreSQL for one test run; it is deleted when it stops. */
export async function startTestPostgres(): Promise<{ readonly url: string; stop(): Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'zonedeck-test-'))
  // If run by root, the database's user must be able to traverse the folder.
  await chmod(folder, 0o711)
  const embedded = await startEmbedded(folder, createLog('warn'))
  const admin = postgres(embedded.adminUrl, { max: 1, onnotice: () => undefined })
  for (const setting of spared) await admin.unsafe(`alter system set ${setting} = off`)
  await admin`select pg_reload_conf()`
  await admin.end()
  return {
    // Each test creates its own database, and some of them roles.
    url: embedded.adminUrl,
    async stop() {
      await embedded.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
