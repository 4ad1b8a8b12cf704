import { randomUUID } from 'node:crypto'
import { hash } from '@node-rs/argon2'
import type { Database } from '#server/db/client.ts'
import { accounts, dnsRecords, groups, users, zones } from '#server/db/schema/index.ts'
import type { Secrets } from '#server/platform/secrets.ts'

type Row<T extends { readonly $inferInsert: object }> = Partial<T['$inferInsert']>
type Orm = Pick<Database, 'orm'>

let number = 0
const next = () => (number += 1)

function one<T>(rows: readonly T[]): T {
  const [row] = rows
  if (row === undefined) throw new Error('nothing was inserted')
  return row
}

export const testPassword = 'correct horse'
/** Real argon2id at the lowest cost, because most tests do not test the cost. */
const cheapHash = hash(testPassword, { memoryCost: 8, timeCost: 1, parallelism: 1 })

/** A user whose password is `testPassword`. */
export async function insertUser({ orm }: Orm, given: Row<typeof users> = {}): Promise<typeof users.$inferSelect> {
  const n = next()
  const row = { username: `user${n}`, email: `user${n}@example.com`, passwordHash: await cheapHash, role: 'user' as const, ...given }
  return one(await orm.insert(users).values(row).returning())
}

/** An account whose credential can be decrypted with the given secrets; without them it has no valid credential. */
export async function insertAccount(
  { orm }: Orm,
  given: Row<typeof accounts> & { readonly ownerId: string },
  credential?: { readonly secrets: Secrets; readonly apiKey: string; readonly password?: string },
): Promise<typeof accounts.$inferSelect> {
  const id = given.id ?? randomUUID()
  const row = {
    id,
    email: `account${next()}@example.com`,
    kind: 'global_key' as const,
    apiKeySealed: credential === undefined ? 'v1.none' : credential.secrets.encrypt(credential.apiKey, `account:${id}:apiKey`),
    passwordSealed: credential?.password === undefined ? null : credential.secrets.encrypt(credential.password, `account:${id}:password`),
    credentialHash: credential === undefined ? randomUUID() : credential.secrets.fingerprint(credential.apiKey),
    ...given,
  }
  return one(await orm.insert(accounts).values(row).returning())
}

/** Inserts `count` zones in one statement, named in order, each with the fields of `given`. */
export async function insertZones(
  { orm }: Orm,
  owner: { readonly ownerId: string; readonly accountId: string },
  count: number,
  given: (index: number) => Row<typeof zones> = () => ({}),
): Promise<(typeof zones.$inferSelect)[]> {
  const rows = Array.from({ length: count }, (_, index) => {
    const own = given(index)
    const name = own.name ?? `zone${next()}.example`
    return {
      ...owner,
      providerZoneId: randomUUID().replaceAll('-', ''),
      search: name,
      status: 'active' as const,
      providerStatus: 'active',
      listedAt: new Date(),
      ...own,
      name,
    }
  })
  return orm.insert(zones).values(rows).returning()
}

export async function insertZone(
  db: Orm,
  { ownerId, accountId, ...given }: Row<typeof zones> & { readonly ownerId: string; readonly accountId: string },
): Promise<typeof zones.$inferSelect> {
  return one(await insertZones(db, { ownerId, accountId }, 1, () => given))
}

export async function insertGroup(
  { orm }: Orm,
  given: Row<typeof groups> & { readonly ownerId: string },
): Promise<typeof groups.$inferSelect> {
  return one(
    await orm
      .insert(groups)
      .values({ name: `Group ${next()}`, ...given })
      .returning(),
  )
}

export async function insertRecord(
  { orm }: Orm,
  given: Row<typeof dnsRecords> & { readonly domainId: string },
): Promise<typeof dnsRecords.$inferSelect> {
  const row = { recordId: randomUUID().replaceAll('-', ''), type: 'A', name: 'www.example', content: '192.0.2.1', ttl: 1, ...given }
  return one(await orm.insert(dnsRecords).values(row).returning())
}
