import postgres from 'postgres'
import type { TestProject } from 'vitest/node'
import { migrate } from '#server/db/migrate.ts'
import { activityFields } from '#shared/features/activity/details.ts'
import { startTestPostgres } from '#server/testing/postgres.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** The migrated template that every test database is cloned from. */
    templateUrl: string
  }
}

async function server(): ReturnType<typeof startTestPostgres> {
  const given = process.env['TEST_DATABASE_URL'] ?? process.env['DATABASE_URL']
  if (given !== undefined && given !== '') return { url: given, stop: () => Promise.resolve() }
  return startTestPostgres()
}

/** A log line without a message text fails the test that writes it. */
async function closeDetails(url: string): Promise<void> {
  const database = postgres(url, { max: 1 })
  const known = activityFields.map((field) => `'${field}'`).join(',')
  await database.unsafe(
    `alter table activity add constraint testing_activity_fields check (details - array[${known}]::text[] = '{}' and coalesce(details->'before', '{}') - array[${known}]::text[] = '{}')`,
  )
  await database.end()
}

/** One PostgreSQL per run, migrated once; see `createTestDatabase`. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { url, stop } = await server()
  const template = `zonedeck_template_${process.pid}`
  const templateUrl = Object.assign(new URL(url), { pathname: `/${template}` }).href
  const admin = postgres(url, { max: 1, onnotice: () => undefined })
  await admin.unsafe(`drop database if exists ${template}`)
  await admin.unsafe(`create database ${template}`)
  await migrate(templateUrl)
  await closeDetails(templateUrl)
  project.provide('templateUrl', templateUrl)
  return async () => {
    const clones = await admin<{ datname: string }[]>`select datname from pg_database where datname like ${`${template}%`}`
    for (const { datname } of clones) await admin.unsafe(`drop database if exists "${datname}" with (force)`)
    await admin.end()
    await stop()
  }
}
