import { execFileSync } from 'node:child_process'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import postgres from 'postgres'
import { startEmbedded } from '#server/db/embedded.ts'
import { migrate } from '#server/db/migrate.ts'
import { createLog } from '#server/platform/log.ts'

/** One PostgreSQL a run, migrated once into a template, and the built client. */
export default async function setup(): Promise<() => Promise<void>> {
  execFileSync('node', ['client/build.ts'], { cwd: fileURLToPath(new URL('..', import.meta.url)), stdio: 'inherit' })
  const folder = await mkdtemp(join(tmpdir(), 'zonedeck-e2e-'))
  // Run by root, the database's own user must be able to pass through.
  await chmod(folder, 0o711)
  const embedded = await startEmbedded(folder, createLog('warn'))
  const templateUrl = Object.assign(new URL(embedded.url), { pathname: '/e2e_template' }).href
  const admin = postgres(embedded.url, { max: 1, onnotice: () => undefined })
  await admin.unsafe('create database e2e_template')
  await admin.end()
  await migrate(templateUrl)
  process.env['E2E_TEMPLATE_URL'] = templateUrl
  return async () => {
    await embedded.stop()
    await rm(folder, { recursive: true, force: true })
  }
}
