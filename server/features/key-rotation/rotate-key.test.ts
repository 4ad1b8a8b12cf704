import { randomBytes, randomUUID } from 'node:crypto'
import { getTableName, is } from 'drizzle-orm'
import { getTableConfig, PgTable } from 'drizzle-orm/pg-core'
import { expect, onTestFinished, test } from 'vitest'
import { connect } from '#server/db/client.ts'
import { rebuild } from '#server/db/migrate.ts'
import { listMigrations } from '#server/db/migration-history.ts'
import * as schema from '#server/db/schema/index.ts'
import { createSecrets } from '#server/platform/secrets.ts'
import type { Secrets } from '#server/platform/secrets.ts'
import { createTestDatabase } from '#server/testing/database.ts'
import type { TestDatabase } from '#server/testing/database.ts'
import { insertAccount, insertUser, insertZone } from '#server/testing/factories.ts'
import { createLog } from '#server/platform/log.ts'
import { rotateKey, RotationRefused } from './rotate-key.ts'
import { encryptedColumns } from './encrypted-columns.ts'
import { warnOfWrongKey } from './warn-of-wrong-key.ts'

const [first, second] = [createSecrets(randomBytes(32)), createSecrets(randomBytes(32))]

async function database(): Promise<TestDatabase> {
  const test = await createTestDatabase()
  onTestFinished(() => test.close())
  return test
}

/** A value in every encrypted column, named by its column. */
async function fill({ db }: TestDatabase, secrets: Secrets): Promise<void> {
  const { id: ownerId } = await insertUser(db)
  const account = await insertAccount(db, { ownerId }, { secrets, apiKey: 'accounts.api_key_sealed', password: 'accounts.password_sealed' })
  const domain = await insertZone(db, { ownerId, accountId: account.id })
  const [registrar, contact, tracker, channel, certificate] = [randomUUID(), randomUUID(), randomUUID(), randomUUID(), randomUUID()]
  const encrypted = (column: string, key: string) => {
    const found = encryptedColumns.find((each) => `${each.table}.${each.column}` === column)
    if (found === undefined) throw new Error(column)
    return secrets.encrypt(column === 'registrars.credential_sealed' ? JSON.stringify({ apiKey: column }) : column, found.context(key))
  }
  const { sql } = db
  await sql`insert into registrars (id, owner_id, name, credential_sealed, credential_fields, credential_hash, account_password_sealed)
    values (${registrar}, ${ownerId}, 'r', ${encrypted('registrars.credential_sealed', registrar)}, '{apiKey}', 'old', ${encrypted('registrars.account_password_sealed', registrar)})`
  await sql`insert into contacts (id, owner_id, name, details_sealed) values (${contact}, ${ownerId}, 'c', ${encrypted('contacts.details_sealed', contact)})`
  await sql`insert into totp (user_id, secret_sealed) values (${ownerId}, ${encrypted('totp.secret_sealed', ownerId)})`
  await sql`insert into recovery_codes (user_id, code_hash) values (${ownerId}, ${secrets.fingerprint('code')})`
  await sql`insert into monitor_settings (owner_id, options, notices, bot_token_sealed) values (${ownerId}, '{}', '{}', ${encrypted('monitor_settings.bot_token_sealed', ownerId)})`
  await sql`insert into alert_channels (id, owner_id, kind, name, secret_sealed, url_sealed) values (${channel}, ${ownerId}, 'webhook', 'w', ${encrypted('alert_channels.secret_sealed', channel)}, ${encrypted('alert_channels.url_sealed', channel)})`
  await sql`insert into origin_certificates (id, zone_id, hostnames, type, key_sealed) values (${certificate}, ${domain.id}, '{a.example}', 'rsa', ${encrypted('origin_certificates.key_sealed', certificate)})`
  await sql`insert into trackers (id, owner_id, kind, name, api_key_sealed) values (${tracker}, ${ownerId}, 'KEITARO', 't', ${encrypted('trackers.api_key_sealed', tracker)})`
}

/** The columns that this key decrypts. */
async function opened({ db }: TestDatabase, secrets: Secrets): Promise<string[]> {
  const found: string[] = []
  for (const { table, column, key, context } of encryptedColumns) {
    const rows = await db.sql.unsafe<{ key: string; encrypted: string }[]>(
      `select ${key}::text as key, ${column} as encrypted from ${table} where ${column} is not null`,
    )
    for (const row of rows) {
      try {
        secrets.decrypt(row.encrypted, context(row.key))
        found.push(`${table}.${column}`)
      } catch {
        continue
      }
    }
  }
  return found
}
const all = encryptedColumns.map(({ table, column }) => `${table}.${column}`)

test('R-PRM-04 key rotation covers every encrypted column of the schema', () => {
  const columns = Object.values(schema).flatMap((table) =>
    is(table, PgTable)
      ? getTableConfig(table)
          .columns.filter(({ name }) => name.endsWith('_sealed'))
          .map(({ name }) => `${getTableName(table)}.${name}`)
      : [],
  )
  expect(columns.toSorted((one, other) => (one < other ? -1 : 1))).toEqual(all.toSorted((one, other) => (one < other ? -1 : 1)))
})

test('R-PRM-04 after key rotation the new key decrypts every secret and the old one none; a second run changes nothing', async () => {
  const target = await database()
  await fill(target, first)
  const result = await rotateKey(target.url, { from: first, to: second })
  expect(result).toEqual({ reencrypted: all.length, unreadable: [], withoutRecoveryCodes: 1 })
  expect(await opened(target, second)).toEqual(all)
  expect(await opened(target, first)).toEqual([])
  expect(await target.db.sql`select from recovery_codes`).toHaveLength(0)
  // A credential that is added again is still recognized as a duplicate.
  const [account] = await target.db.sql<{ hash: string; email: string }[]>`select credential_hash as hash, email from accounts`
  expect(account?.hash).toBe(second.fingerprint(`global_key ${account?.email} accounts.api_key_sealed`))
  const [registrar] = await target.db.sql<{ hash: string }[]>`select credential_hash as hash from registrars`
  expect(registrar?.hash).toBe(second.fingerprint(JSON.stringify(['NAMECHEAP', false, [['apiKey', 'registrars.credential_sealed']]])))

  await target.db.sql`insert into recovery_codes (user_id, code_hash) select user_id, 'new' from totp`
  expect(await rotateKey(target.url, { from: first, to: second })).toEqual({ reencrypted: 0, unreadable: [], withoutRecoveryCodes: 0 })
  expect(await opened(target, second)).toEqual(all)
})

test('an interrupted key rotation changes nothing, and the next run completes it', async () => {
  const target = await database()
  await fill(target, first)
  // Fails at the last column, as if the process had died there.
  await target.db.sql.unsafe(`create function stop() returns trigger language plpgsql as $$ begin raise exception 'stopped'; end $$;
    create trigger stop before update on trackers for each row execute function stop()`)
  const ended = await rotateKey(target.url, { from: first, to: second }).catch((error: unknown) => error)
  expect([String(ended), ended instanceof RotationRefused]).toEqual(['Error: stopped', true])
  expect(await opened(target, first)).toEqual(all)
  await target.db.sql`drop trigger stop on trackers`
  expect(await rotateKey(target.url, { from: first, to: second })).toMatchObject({ reencrypted: all.length })
})

test('R-PRM-04 the rotation is flushed to disk even if the server uses asynchronous commit', async () => {
  const target = await database()
  await fill(target, first)
  await target.db.sql.unsafe(`alter database ${target.db.sql.options.database} set synchronous_commit = off`)
  await target.db.sql.unsafe(`create table seen (setting text);
    create function note() returns trigger language plpgsql as $$ begin insert into seen values (current_setting('synchronous_commit')); return null; end $$;
    create trigger note after update on accounts for each statement execute function note()`)
  await rotateKey(target.url, { from: first, to: second })
  expect(await target.db.sql`select distinct setting from seen`).toEqual([{ setting: 'on' }])
})

test('a wrong key changes nothing, a single undecryptable value is kept and reported, and rotation is refused while the panel is running', async () => {
  const target = await database()
  await fill(target, first)
  const stranger = createSecrets(randomBytes(32))
  await expect(rotateKey(target.url, { from: stranger, to: second })).rejects.toThrow('decrypts none of the stored secrets')
  expect(await opened(target, first)).toEqual(all)
  const panel = connect(target.url)
  await panel.sql`select 1`
  await expect(rotateKey(target.url, { from: first, to: second })).rejects.toThrow('the panel is running on this database')
  await panel.close()
  await target.db.sql`update contacts set details_sealed = 'v1.damaged'`
  expect(await rotateKey(target.url, { from: first, to: second })).toMatchObject({
    reencrypted: all.length - 1,
    unreadable: [{ what: 'contacts.details_sealed', count: 1 }],
  })
})

test('R-PRM-04 a database of an older version is migrated first; a newer version or a database without a panel is refused', async () => {
  const target = await database()
  const known = listMigrations().length
  const rotate = () => rotateKey(target.url, { from: first, to: second })
  await target.db.sql.begin((tx) => rebuild(tx, known - 1))
  expect(await rotate()).toEqual({ reencrypted: 0, unreadable: [], withoutRecoveryCodes: 0 })
  expect(await target.db.sql`select from drizzle.__drizzle_migrations`).toHaveLength(known)
  await target.db.sql`insert into drizzle.__drizzle_migrations (hash, created_at) values ('ffff', 9999999999999)`
  await expect(rotate()).rejects.toThrow(
    new RotationRefused('the database was migrated by a newer version; rotate the key with that version'),
  )
  await target.db.sql`drop schema drizzle cascade`
  await expect(rotate()).rejects.toThrow('the database contains no panel data')
})

test('R-PRM-04 at startup the log reports a changed key, unless the key decrypts a secret or none is stored', async () => {
  const target = await database()
  const lines: string[] = []
  const log = createLog('info', { write: (line: string) => void lines.push(line) })
  const start = (secrets: Secrets) => warnOfWrongKey({ db: target.db, secrets, log })
  await start(second)
  await fill(target, first)
  await start(first)
  expect(lines).toEqual([])
  await start(second)
  expect(lines).toEqual([expect.stringMatching(/"level":50.*the secret key is not the one that the stored secrets were encrypted with/)])
  // One secret was entered again.
  const [totp = { id: '' }] = await target.db.sql<{ id: string }[]>`select user_id as id from totp`
  const context = encryptedColumns.find(({ table }) => table === 'totp')?.context(totp.id) ?? ''
  await target.db.sql`update totp set secret_sealed = ${second.encrypt('new', context)}`
  await start(second)
  expect(lines).toHaveLength(1)
})
