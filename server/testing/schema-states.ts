import { createHash } from 'node:crypto'
import { readFileSync, readdirSync } from 'node:fs'
import { listMigrations } from '#server/db/migration-history.ts'
import type { Sql } from '#server/db/client.ts'

export interface AppliedForm {
  readonly name: string
  readonly hash: string
  readonly statements: readonly string[]
}

const formerFolder = new URL('former-migrations/', import.meta.url)

/** Earlier forms of migrations that were edited after being applied: the files of `former-migrations`. */
export const listFormerForms = (): AppliedForm[] =>
  readdirSync(formerFolder).map((file) => {
    const text = readFileSync(new URL(file, formerFolder), 'utf8')
    return {
      name: file.split('.')[0] ?? '',
      hash: createHash('sha256').update(text).digest('hex'),
      statements: text.split('--> statement-breakpoint'),
    }
  })

/** The migrations of this version up to and including one, in its earlier form. */
export function listWithFormer(form: AppliedForm): AppliedForm[] {
  const current: readonly AppliedForm[] = listMigrations()
  const place = current.findIndex(({ name }) => name === form.name)
  return [...current.slice(0, place), form]
}

/** An empty database, ready for `applyForm`. */
export const prepareHistory = (sql: Sql) =>
  sql.unsafe(
    'create schema drizzle; create table drizzle.__drizzle_migrations (id serial primary key, hash text not null, created_at bigint)',
  )

/** As the version of that time did it. */
export async function applyForm(sql: Sql, { hash, statements }: AppliedForm): Promise<void> {
  await sql.begin(async (tx) => {
    for (const statement of statements) await tx.unsafe(statement)
    await tx`insert into drizzle.__drizzle_migrations (hash, created_at) values (${hash}, 0)`
  })
}
