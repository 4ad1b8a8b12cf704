import { randomUUID } from 'node:crypto'
import postgres from 'postgres'
import { inject } from 'vitest'
import { connect } from '#server/db/client.ts'
import type { Database } from '#server/db/client.ts'

export interface TestDatabase {
  readonly url: string
  readonly db: Database
  /** Closes the pool and drops the database. */
  close(): Promise<void>
}

/** A migrated, empty database, cloned from the run's template: copied as files without WAL, in half the time. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const templateUrl = inject('templateUrl')
  const template = new URL(templateUrl).pathname.slice(1)
  const name = `${template}_${randomUUID().replaceAll('-', '').slice(0, 12)}`
  const at = (database: string) => Object.assign(new URL(templateUrl), { pathname: `/${database}` }).href
  const run = async (statement: string) => {
    const admin = postgres(at('postgres'), { max: 1, onnotice: () => undefined })
    try {
      await admin.unsafe(statement)
    } finally {
      await admin.end()
    }
  }
  await run(`create database ${name} template ${template} strategy file_copy`)
  const db = connect(at(name), { name: 'zonedeck-test' })
  return {
    url: at(name),
    db,
    async close() {
      await db.close()
      await run(`drop database if exists ${name} with (force)`)
    },
  }
}
