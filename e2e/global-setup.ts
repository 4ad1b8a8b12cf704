import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import postgres from 'postgres'
import { migrate } from '#server/db/migrate.ts'
import { startTestPostgres } from '#server/testing/postgres.ts'

/** Starts one PostgreSQL per run, migrated once into a template, and builds the client. */
export default async function setup(): Promise<() => Promise<void>> {
  // The gate has already built it.
  if (process.env['E2E_CLIENT'] !== 'built') {
    execFileSync('node', ['client/build.ts'], { cwd: fileURLToPath(new URL('..', import.meta.url)), stdio: 'inherit' })
  }
  const { url, stop } = await startTestPostgres()
  const templateUrl = Object.assign(new URL(url), { pathname: '/e2e_template' }).href
  const admin = postgres(url, { max: 1, onnotice: () => undefined })
  await admin.unsafe('create database e2e_template')
  await admin.end()
  await migrate(templateUrl)
  process.env['E2E_TEMPLATE_URL'] = templateUrl
  return stop
}
