import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import postgres from 'postgres'
import type { TestProject } from 'vitest/node'
import { startEmbedded } from '#server/db/embedded.ts'
import { migrate } from '#server/db/migrate.ts'
import { createLog } from '#server/platform/log.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** The migrated template that every test database is cloned from. */
    templateUrl: string
  }
}

async function server(): Promise<{ readonly url: string; stop(): Promise<void> }> {
  const given = process.env['TEST_DATABASE_URL'] ?? process.env['DATABASE_URL']
  if (given !== undefined && given !== '') return { url: given, stop: () => Promise.resolve() }
  const folder = await mkdtemp(join(tmpdir(), 'zonedeck-test-'))
  // Run by root, the database's own user must be able to pass through.
  await chmod(folder, 0o711)
  const embedded = await startEmbedded(folder, createLog('warn'))
  return {
    url: embedded.url,
    async stop() {
      await embedded.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** One PostgreSQL a run, migrated once; see `createTestDatabase`. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { url, stop } = await server()
  const template = `zonedeck_template_${process.pid}`
  const templateUrl = Object.assign(new URL(url), { pathname: `/${template}` }).href
  const admin = postgres(url, { max: 1, onnotice: () => undefined })
  await admin.unsafe(`drop database if exists ${template}`)
  await admin.unsafe(`create database ${template}`)
  await migrate(templateUrl)
  project.provide('templateUrl', templateUrl)
  return async () => {
    const clones = await admin<{ datname: string }[]>`select datname from pg_database where datname like ${`${template}%`}`
    for (const { datname } of clones) await admin.unsafe(`drop database if exists "${datname}" with (force)`)
    await admin.end()
    await stop()
  }
}
