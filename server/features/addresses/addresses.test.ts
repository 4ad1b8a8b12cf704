import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { dnsRecords } from '#server/db/schema/index.ts'
import { createTestApp, signIn } from '#server/testing/app.ts'
import type { SignedIn, TestApp } from '#server/testing/app.ts'
import { emptyTables } from '#server/testing/empty-tables.ts'
import { insertAccount, insertZones } from '#server/testing/factories.ts'

let t: TestApp
let ann: SignedIn
let ids: string[]
beforeAll(async () => {
  t = await createTestApp()
})
afterAll(() => t.close())

const record = (domainId: string, type: string, name: string, content: string, proxied = false) => ({
  domainId,
  recordId: `${type} ${name} ${content}`,
  type,
  name,
  content,
  ttl: 1,
  proxied,
})

/** Zones a.test, b.test … of a person, each with these records. */
async function insertWith(owner: SignedIn, records: (name: string, index: number) => [string, string, string, boolean?][], count = 4) {
  const account = await insertAccount(t.services.db, { ownerId: owner.user.id })
  const names = Array.from({ length: count }, (_, index) => `${'abcdefgh'[index] ?? ''}.test`)
  const rows = await insertZones(t.services.db, { ownerId: owner.user.id, accountId: account.id }, count, (at) => ({
    name: names[at] ?? '',
  }))
  await t.services.db.orm
    .insert(dnsRecords)
    .values(
      rows.flatMap(({ id, name }, index) =>
        records(name, index).map(([type, label, content, proxied]) => record(id, type, label, content, proxied)),
      ),
    )
  return rows.map(({ id }) => id)
}

beforeEach(async () => {
  await emptyTables(t.services.db, 'users')
  ann = await signIn(t.services)
  ids = await insertWith(ann, (name, index) => [
    ['A', name, index < 3 ? '203.0.113.1' : '203.0.113.2', true],
    ['A', `mail.${name}`, '203.0.113.1'],
    ['CNAME', `www.${name}`, name, true],
    ['CNAME', `shop.${name}`, 'shops.example.net'],
    ['AAAA', name, `2001:db8::${index}`, true],
    ['MX', name, '203.0.113.9'],
  ])
})

const shown = async (input: Parameters<SignedIn['call']['addresses']['list']>[0]) =>
  (await ann.call.addresses.list(input)).addresses.map(({ address, domains, records, proxied }) => [address, domains, records, proxied])

describe('addresses that domains point to', () => {
  test('counts the domains and records of each address, without CNAMEs inside a domain and without other types', async () => {
    const answer = await ann.call.addresses.list({})
    expect(answer.total).toBe(7)
    expect(answer.addresses.slice(0, 3)).toEqual([
      { address: '203.0.113.1', type: 'A', domains: 4, records: 7, proxied: 3 },
      { address: 'shops.example.net', type: 'CNAME', domains: 4, records: 4, proxied: 0 },
      { address: '2001:db8::0', type: 'AAAA', domains: 1, records: 1, proxied: 1 },
    ])
  })

  test.each(['2001:db8::1', '2001:DB8:0:0::1', ' 2001:db8::1 '])(
    '%j finds that address in any notation, and no other with the same prefix',
    async (address) => {
      expect((await ann.call.addresses.domains({ address })).domains.map(({ name }) => name)).toEqual(['b.test'])
      expect((await ann.call.addresses.domains({ address: '203.0.113' })).domains).toEqual([])
    },
  )

  test('can be searched, filtered by type and sorted in both directions', async () => {
    expect(await shown({ search: '113.' })).toEqual([
      ['203.0.113.1', 4, 7, 3],
      ['203.0.113.2', 1, 1, 1],
    ])
    expect(await shown({ type: 'CNAME' })).toEqual([['shops.example.net', 4, 4, 0]])
    expect(await shown({ search: '%' })).toEqual([])
    const byName = await shown({ sort: { by: 'address', direction: 'asc' } })
    const inOrder = byName.map(([address]) => String(address))
    expect(inOrder).toEqual(inOrder.toSorted())
    expect((await shown({ sort: { by: 'records', direction: 'asc' } })).at(-1)).toEqual(['203.0.113.1', 4, 7, 3])
  })

  test.each(['domains', 'records', 'address'] as const)('sorted by %s, pages by key hold each address once', async (by) => {
    for (const direction of ['asc', 'desc'] as const) {
      const all = await shown({ sort: { by, direction } })
      const paged: unknown[] = []
      let cursor: string | undefined
      do {
        const page = await ann.call.addresses.list({ sort: { by, direction }, limit: 2, ...(cursor === undefined ? {} : { cursor }) })
        expect(page.total).toBe(7)
        paged.push(...page.addresses.map(({ address, domains, records, proxied }) => [address, domains, records, proxied]))
        cursor = page.nextCursor ?? undefined
      } while (cursor !== undefined)
      expect(paged).toEqual(all)
    }
  })

  test.each(['x', 'bnVsbA', Buffer.from('{"by":"records","value":1,"address":"a"}').toString('base64url')])(
    'an invalid cursor (%s) is refused',
    async (cursor) => {
      await expect(ann.call.addresses.list({ cursor })).rejects.toThrow('validation_failed')
    },
  )

  test('the domains of an address are listed by name with their records, in pages', async () => {
    const first = await ann.call.addresses.domains({ address: '203.0.113.1', limit: 3 })
    expect(first.domains.map(({ name, records }) => [name, records.map((each) => each.name)])).toEqual([
      ['a.test', ['a.test', 'mail.a.test']],
      ['b.test', ['b.test', 'mail.b.test']],
      ['c.test', ['c.test', 'mail.c.test']],
    ])
    const second = await ann.call.addresses.domains({ address: '203.0.113.1', limit: 3, cursor: first.nextCursor ?? '' })
    expect(second).toMatchObject({
      domains: [{ name: 'd.test', records: [{ name: 'mail.d.test', type: 'A', proxied: false }] }],
      nextCursor: null,
    })
  })

  test('a domain deleted at its provider has no addresses', async () => {
    await t.services.db.sql`update zones set gone_at = now() where id = ${ids[3] ?? ''}`
    expect(await shown({ search: '203.0.113.2' })).toEqual([])
    expect((await ann.call.addresses.domains({ address: '203.0.113.2' })).domains).toEqual([])
  })

  test('R-PRM-02 a person sees their own addresses, an administrator everyone’s or one person’s', async () => {
    const bob = await signIn(t.services)
    await insertWith(bob, (name) => [['A', name, '203.0.113.1']], 2)
    const boss = await signIn(t.services, { role: 'admin' })
    const own = [{ address: '203.0.113.1', type: 'A', domains: 2, records: 2, proxied: 0 }]
    expect((await bob.call.addresses.list({})).addresses).toEqual(own)
    expect((await bob.call.addresses.list({ ownerId: ann.user.id })).addresses).toEqual([])
    expect((await bob.call.addresses.domains({ address: 'shops.example.net' })).domains).toEqual([])
    expect((await boss.call.addresses.list({ search: '203.0.113.1' })).addresses[0]).toMatchObject({ domains: 6, records: 9 })
    expect((await boss.call.addresses.list({ ownerId: bob.user.id })).total).toBe(1)
  })
})
