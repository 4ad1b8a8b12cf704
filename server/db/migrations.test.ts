import { readFileSync, readdirSync } from 'node:fs'
import { expect, test } from 'vitest'

const folder = new URL('../../drizzle/', import.meta.url)
/** Migrations before were written before anybody ran the panel. */
const firstChecked = 23
const reason = /^-- safe because \S.{10,}$/

/** What a process of the version before would stumble over while it still runs, or what holds a table up for long. */
const rules: readonly { readonly what: string; readonly pattern: RegExp }[] = [
  { what: 'drops a column or table', pattern: /\bdrop\s+(column|table)\b/i },
  { what: 'renames', pattern: /\brename\s+(to|column|constraint|value)\b/i },
  { what: 'changes a type', pattern: /\balter\s+column\s+\S+\s+(set\s+data\s+)?type\b/i },
  { what: 'forbids nulls in a column that exists', pattern: /\balter\s+column\s+\S+\s+set\s+not\s+null\b/i },
  { what: 'adds a column that old code does not fill', pattern: /\badd\s+column\b(?!.*\bdefault\b)(?!.*\bgenerated\b).*\bnot\s+null\b/i },
  { what: 'constrains a table that exists', pattern: /\balter\s+table\b.*\badd\s+constraint\b/i },
  { what: 'makes an index unique', pattern: /\bcreate\s+unique\s+index\b/i },
  { what: 'writes every row of a table anew', pattern: /\bset\s+expression\b|\badd\s+column\b.*\bgenerated\s+always\s+as\b.*\bstored\b/i },
  { what: 'drops a type or a value', pattern: /\bdrop\s+(type|function|trigger)\b/i },
]

/** The statements of a migration, each with the comments right above it. */
function statementsOf(sql: string): { readonly comments: readonly string[]; readonly statement: string }[] {
  return sql.split(/--> statement-breakpoint/).map((part) => {
    const lines = part.split('\n').map((line) => line.trim())
    return { comments: lines.filter((line) => line.startsWith('--')), statement: lines.filter((line) => !line.startsWith('--')).join(' ') }
  })
}

/** What is wrong with a migration: statements that need a reason and give none. Tables that it makes itself nobody uses yet. */
function faultsOf(sql: string): string[] {
  const statements = statementsOf(sql)
  const made = new Set(
    statements.flatMap(({ statement }) =>
      [...statement.matchAll(/\bcreate\s+table\s+(?:if\s+not\s+exists\s+)?"?(\w+)"?/gi)].map(([, name]) => name),
    ),
  )
  return statements.flatMap(({ comments, statement }) => {
    const table = /(?:\balter\s+table|\son)\s+(?:only\s+)?"?(?:public"?\.")?(\w+)"?/i.exec(statement)?.[1]
    if (comments.some((comment) => reason.test(comment)) || made.has(table)) return []
    return rules.filter(({ pattern }) => pattern.test(statement)).map(({ what }) => `${what}: ${statement.trim().slice(0, 120)}`)
  })
}

test('every migration since the first release only adds, or says above the statement why it is safe while the version before runs', () => {
  const files = readdirSync(folder).filter((name) => /^\d{4}_\w+\.sql$/.test(name) && Number(name.slice(0, 4)) >= firstChecked)
  const faults = files.flatMap((name) => faultsOf(readFileSync(new URL(name, folder), 'utf8')).map((fault) => `${name} ${fault}`))
  expect(faults).toEqual([])
})

test.each([
  ['ALTER TABLE "zones" DROP COLUMN "plan";', 'drops a column or table'],
  ['DROP TABLE "zones";', 'drops a column or table'],
  ['ALTER TABLE "zones" RENAME COLUMN "plan" TO "tariff";', 'renames'],
  ['ALTER TABLE "zones" ALTER COLUMN "plan" SET DATA TYPE integer;', 'changes a type'],
  ['ALTER TABLE "zones" ALTER COLUMN "plan" SET NOT NULL;', 'forbids nulls in a column that exists'],
  ['ALTER TABLE "zones" ADD COLUMN "colour" text NOT NULL;', 'adds a column that old code does not fill'],
  ['ALTER TABLE "zones" ADD CONSTRAINT "x" CHECK (true);', 'constrains a table that exists'],
  ['ALTER TABLE "zones" ALTER COLUMN "dims" SET EXPRESSION AS (1);', 'writes every row of a table anew'],
  ['ALTER TABLE "zones" ADD COLUMN "half" integer GENERATED ALWAYS AS (1) STORED;', 'writes every row of a table anew'],
  ['CREATE UNIQUE INDEX "x" ON "zones" USING btree ("name");', 'makes an index unique'],
])('%s needs a reason', (statement, what) => {
  expect(faultsOf(statement).map((fault) => fault.split(':')[0])).toEqual([what])
  expect(faultsOf(`-- safe because no code has read it since 0.2\n${statement}`)).toEqual([])
  expect(faultsOf(`-- safe\n${statement}`)).toHaveLength(1)
})

test.each([
  'ALTER TABLE "zones" ADD COLUMN "colour" text;',
  'ALTER TABLE "zones" ADD COLUMN "colour" text DEFAULT \'red\' NOT NULL;',
  'CREATE INDEX "x" ON "zones" USING btree ("name");',
  'CREATE TABLE "pens" ("id" uuid NOT NULL);--> statement-breakpoint\nCREATE UNIQUE INDEX "pens_id" ON "pens" USING btree ("id");--> statement-breakpoint\nALTER TABLE "pens" ADD CONSTRAINT "x" FOREIGN KEY ("id") REFERENCES "users"("id");',
])('%s needs none', (sql) => {
  expect(faultsOf(sql)).toEqual([])
})
