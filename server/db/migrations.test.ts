import { readFileSync, readdirSync } from 'node:fs'
import { expect, test } from 'vitest'
import { listMigrations } from '#server/db/migration-history.ts'

const folder = new URL('../../drizzle/', import.meta.url)
/** Earlier migrations precede the first release. */
const firstChecked = 23
const reason = /^-- safe because \S.{10,}$/

/**
 * Statements that break a running process of the previous version, or lock a table for long. Each is searched in one statement, for ALTER
 * TABLE in one of its actions.
 */
const rules: readonly { readonly what: string; readonly pattern: RegExp }[] = [
  { what: 'drops something', pattern: /\bdrop\s+(?!not\s+null\b)\w/i },
  { what: 'renames', pattern: /\brename\s+(to|column|constraint|value)\b|\bset\s+schema\b/i },
  { what: 'changes a type', pattern: /\balter\s+column\s+\S+\s+(set\s+data\s+)?type\b/i },
  { what: 'forbids nulls in a column that exists', pattern: /\balter\s+column\s+\S+\s+set\s+not\s+null\b/i },
  {
    what: 'adds a column that old code does not fill',
    pattern: /\badd\s+column\b(?!.*\b(default|generated|\w*serial)\b).*\bnot\s+null\b/i,
  },
  {
    what: 'constrains a table that exists',
    pattern:
      /\badd\s+(constraint|unique|primary|foreign|check|exclude)\b|\badd\s+column\b.*\b(unique|references|primary\s+key|check\s*\()/i,
  },
  { what: 'makes an index unique', pattern: /\bcreate\s+unique\s+index\b/i },
  { what: 'lets nobody write to a table while its index is made', pattern: /\bcreate\s+index\b/i },
  {
    what: 'rewrites every row of a table',
    // A literal or the statement's time is a fast default; a volatile function rewrites every row.
    pattern:
      /\bset\s+expression\b|\badd\s+column\b.*(\bas\b.*\bstored\b|\bas\s+identity\b|\b\w*serial\b|\bdefault\s+(?!'|-?\d|true\b|false\b|null\b|now\(|current_))/i,
  },
  {
    what: 'changes or deletes rows',
    pattern: /(?<!\bon\s+)\bupdate\s+(only\s+)?\S+(\s+(as\s+)?\w+)?\s+set\b|\bdelete\s+from\b|\btruncate\b|\bdo\s+update\b/i,
  },
  { what: 'replaces what old code uses', pattern: /\bcreate\s+or\s+replace\b/i },
]

interface Statement {
  /** Directly above it. */
  readonly comments: readonly string[]
  /** In one line, without comments. */
  readonly text: string
}

/** A statement ends with a semicolon outside strings, functions and comments. */
function statementsOf(sql: string): Statement[] {
  const pieces = sql.match(/(?:--[^\n]*(?:\n|$)|\$(\w*)\$[\s\S]*?\$\1\$|'(?:[^']|'')*'|[^;])+/g) ?? []
  return pieces.flatMap((piece) => {
    const lines = piece.split('\n').map((line) => line.trim())
    const first = lines.findIndex((line) => line !== '' && !line.startsWith('--'))
    const text = lines
      .slice(first)
      .filter((line) => !line.startsWith('--'))
      .join(' ')
    return first === -1 ? [] : [{ comments: lines.slice(0, first), text }]
  })
}

/**
 * The actions of a statement, without string contents, with the optional COLUMN added. A function body is not executed by its creation; a
 * DO block is, including the strings it executes.
 */
function actionsOf(statement: string): string[] {
  if (/^do\b/i.test(statement)) return [statement]
  const text = statement.replaceAll(/\$(\w*)\$.*?\$\1\$|'(?:[^']|'')*'/g, "''")
  const [, body] = /^alter\s+table\s+(?:if\s+exists\s+)?(?:only\s+)?\S+\s+(.*)$/i.exec(text) ?? []
  if (body === undefined) return [text]
  const actions = body.match(/(?:\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)|[^,])+/g) ?? []
  const bare = /^(add|drop|alter|rename)\s+(?!(?:column|constraint|unique|primary|foreign|check|exclude|to|value)\b)/i
  return actions.map((action) => action.trim().replace(bare, '$1 column '))
}

/** The table of a statement; null for DO blocks, which may concern several. */
function tableOf(text: string): string | null {
  if (/^do\b/i.test(text)) return null
  const about =
    /\b(?:alter\s+table(?:\s+if\s+exists)?|on|update|delete\s+from|truncate(?:\s+table)?)\s+(?:only\s+)?(?:"?public"?\.)?"?(\w+)"?/i
  return about.exec(text)?.[1] ?? null
}

/**
 * Faults of a migration: statements that need a justification and have none. Tables created in it are exempt, because nothing uses them
 * yet.
 */
function faultsOf(sql: string): string[] {
  const statements = statementsOf(sql)
  const made = new Set(
    statements.map(({ text }) => /^create\s+table\s+(?:if\s+not\s+exists\s+)?(?:"?public"?\.)?"?(\w+)"?/i.exec(text)?.[1] ?? null),
  )
  return statements.flatMap(({ comments, text }) => {
    const table = tableOf(text)
    if (comments.some((comment) => reason.test(comment)) || (table !== null && made.has(table))) return []
    const found = rules.filter(({ pattern }) => actionsOf(text).some((action) => pattern.test(action)))
    return found.map(({ what }) => `${what}: ${text.slice(0, 120)}`)
  })
}

const files = readdirSync(folder).filter((name) => /^\d{4}_\w+\.sql$/.test(name))
const faultsIn = (name: string) => faultsOf(readFileSync(new URL(name, folder), 'utf8'))
const whatOf = (faults: readonly string[]) => faults.map((fault) => fault.split(':')[0])

test('every migration since the first release only adds, or has a comment why it is safe while the previous version runs', () => {
  const journal = JSON.parse(readFileSync(new URL('meta/_journal.json', folder), 'utf8')) as { entries: { tag: string }[] }
  expect(files.toSorted()).toEqual(journal.entries.map(({ tag }) => `${tag}.sql`))
  const later = files.filter((name) => Number(name.slice(0, 4)) >= firstChecked)
  expect(later.flatMap((name) => faultsIn(name).map((fault) => `${name} ${fault}`))).toEqual([])
})

test('no recorded migration is edited or missing from the record', () => {
  const recorded = JSON.parse(readFileSync(new URL('hashes.json', folder), 'utf8')) as Record<string, readonly string[]>
  const edited = listMigrations().filter(({ name, hash }) => recorded[name]?.[0] !== hash)
  expect(
    edited.map(({ name }) => name),
    'databases that one was applied to keep its old form: put it back and write a new migration. One that never left your machine: delete its line in drizzle/hashes.json, then `npm run db:hashes`',
  ).toEqual([])
  expect(Object.keys(recorded)).toEqual(listMigrations().map(({ name }) => name))
})

test('the changelog’s warnings are found in the migrations before the first release', () => {
  expect(new Set(whatOf(faultsIn('0019_registry_expiry.sql')))).toEqual(
    new Set(['lets nobody write to a table while its index is made', 'replaces what old code uses', 'drops something']),
  )
  expect(new Set(whatOf(faultsIn('0022_trackers.sql')))).toEqual(new Set(['drops something', 'rewrites every row of a table']))
})

test.each([
  ['ALTER TABLE "zones" DROP COLUMN "plan";', 'drops something'],
  ['DROP TABLE "zones";', 'drops something'],
  ['ALTER TABLE "zones" RENAME COLUMN "plan" TO "tariff";', 'renames'],
  ['ALTER TABLE "zones" ALTER COLUMN "plan" SET DATA TYPE integer;', 'changes a type'],
  ['ALTER TABLE "zones" ALTER COLUMN "plan" SET NOT NULL;', 'forbids nulls in a column that exists'],
  ['ALTER TABLE "zones" ADD COLUMN "colour" text NOT NULL;', 'adds a column that old code does not fill'],
  ['ALTER TABLE "zones" ADD CONSTRAINT "x" CHECK (true);', 'constrains a table that exists'],
  ['ALTER TABLE "zones" ALTER COLUMN "dims" SET EXPRESSION AS (1);', 'rewrites every row of a table'],
  ['ALTER TABLE "zones" ADD COLUMN "half" integer GENERATED ALWAYS AS (1) STORED;', 'rewrites every row of a table'],
  ['CREATE UNIQUE INDEX "x" ON "zones" USING btree ("name");', 'makes an index unique'],
  ['CREATE INDEX "x" ON "zones" USING btree ("name");', 'lets nobody write to a table while its index is made'],
  ['ALTER TABLE "zones" DROP "plan";', 'drops something'],
  ['ALTER TABLE "zones" DROP CONSTRAINT "x";', 'drops something'],
  ['ALTER TABLE "zones" ALTER COLUMN "plan" DROP DEFAULT;', 'drops something'],
  ['DROP VIEW "x";', 'drops something'],
  ['DROP SCHEMA "x" CASCADE;', 'drops something'],
  ['DROP INDEX "x";', 'drops something'],
  ['ALTER TABLE "zones" RENAME "plan" TO "tariff";', 'renames'],
  ["ALTER TYPE \"kind\" RENAME VALUE 'a' TO 'b';", 'renames'],
  ['ALTER TABLE "zones" ALTER "plan" TYPE integer;', 'changes a type'],
  ['ALTER TABLE "zones" ADD "colour" text NOT NULL;', 'adds a column that old code does not fill'],
  ['ALTER TABLE "zones" ADD COLUMN "a" text DEFAULT \'b\', ADD COLUMN "c" text NOT NULL;', 'adds a column that old code does not fill'],
  ['ALTER TABLE "zones" ADD UNIQUE ("name");', 'constrains a table that exists'],
  ['ALTER TABLE "zones" ADD COLUMN "code" text UNIQUE;', 'constrains a table that exists'],
  ['ALTER TABLE "zones" ADD COLUMN "pen" uuid REFERENCES "pens"("id");', 'constrains a table that exists'],
  ['ALTER TABLE "zones" ADD COLUMN "pen" integer CHECK (pen > 0);', 'constrains a table that exists'],
  ['ALTER TABLE "zones" ADD COLUMN "key" uuid DEFAULT gen_random_uuid() NOT NULL;', 'rewrites every row of a table'],
  ['ALTER TABLE "zones" ADD COLUMN "at" timestamp DEFAULT clock_timestamp();', 'rewrites every row of a table'],
  ['ALTER TABLE "zones" ADD COLUMN "n" bigserial NOT NULL;', 'rewrites every row of a table'],
  ['ALTER TABLE "zones" ADD COLUMN "n" integer GENERATED ALWAYS AS IDENTITY;', 'rewrites every row of a table'],
  ['UPDATE "zones" SET "plan" = \'free\';', 'changes or deletes rows'],
  ['UPDATE zones z SET plan = p.plan FROM plans p WHERE p.id = z.plan_id;', 'changes or deletes rows'],
  ['INSERT INTO pens (id) VALUES (1) ON CONFLICT (id) DO UPDATE SET id = 2;', 'changes or deletes rows'],
  ['DELETE FROM "zones" WHERE "gone_at" IS NOT NULL;', 'changes or deletes rows'],
  ['TRUNCATE "outbox";', 'changes or deletes rows'],
  ['CREATE OR REPLACE FUNCTION f() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NEW; END $$;', 'replaces what old code uses'],
  ['DO $x$ BEGIN UPDATE zones SET plan = 1; END $x$;', 'changes or deletes rows'],
])('%s needs a reason', (statement, what) => {
  expect(whatOf(faultsOf(statement))).toEqual([what])
  expect(faultsOf(`-- safe because no code has read it since 0.2\n${statement}`)).toEqual([])
  expect(faultsOf(`-- safe\n${statement}`)).toHaveLength(1)
})

test.each([
  'ALTER TABLE "zones" ADD COLUMN "colour" text;',
  'ALTER TABLE "zones" ADD COLUMN "colour" text DEFAULT \'red\' NOT NULL;',
  'ALTER TABLE "zones" ADD COLUMN "at" timestamp DEFAULT now() NOT NULL;',
  'ALTER TABLE "zones" ADD COLUMN "tags" text[] DEFAULT \'{}\'::text[] NOT NULL, ADD COLUMN "size" numeric(10,2) DEFAULT -1;',
  'ALTER TABLE "zones" ALTER COLUMN "plan" DROP NOT NULL;',
  'ALTER TYPE "kind" ADD VALUE \'it; drop table\';',
  'CREATE FUNCTION f() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN UPDATE zones SET plan = 1; RETURN NEW; END $$;',
  '-- The neighbour\'s words; they end no statement.\nCREATE TABLE "pens" ("id" uuid);\nCREATE INDEX "x" ON "pens" ("id");',
  'CREATE TABLE "pens" ("id" uuid NOT NULL);--> statement-breakpoint\nCREATE UNIQUE INDEX "pens_id" ON "pens" USING btree ("id");--> statement-breakpoint\nALTER TABLE "pens" ADD CONSTRAINT "x" FOREIGN KEY ("id") REFERENCES "users"("id");',
])('%s needs none', (sql) => {
  expect(faultsOf(sql)).toEqual([])
})

test('a justification covers only the statement below it, and a new table exempts no other', () => {
  const drop = 'ALTER TABLE "zones" DROP COLUMN "plan";'
  expect(faultsOf(`-- safe because no code has read it since 0.2\n${drop}\n${drop}`)).toHaveLength(1)
  expect(faultsOf(`${drop}\n-- safe because no code has read it since 0.2\n`)).toHaveLength(1)
  expect(faultsOf(`DO $$ BEGIN\n-- safe because no code has read it since 0.2\n${drop} END $$;`)).toHaveLength(1)
  expect(faultsOf(`CREATE TABLE "pens" ("id" uuid);\nCREATE INDEX "x" ON "pens" ("id");${drop}`)).toHaveLength(1)
  expect(faultsOf(`CREATE TABLE "pens" ("id" uuid);\nDO $$ BEGIN ALTER TABLE pens ADD x text; ${drop} END $$;`)).toHaveLength(1)
})
