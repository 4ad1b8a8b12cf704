import fc from 'fast-check'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createTestServices } from '#server/testing/services.ts'
import type { TestServices } from '#server/testing/services.ts'
import { callAs, signIn } from '#server/testing/app.ts'
import { insertAccount, insertGroup, insertUser } from '#server/testing/factories.ts'
import { seedZones } from '#server/testing/seed-zones.ts'
import { compactCounts } from './counts.repo.ts'

let test_: TestServices
beforeEach(async () => {
  test_ = await createTestServices()
})
afterEach(() => test_.close())

test('R-DOM-01 counts stay exact after rows are added, changed, moved, grouped, deleted with their account or owner, or rolled back', async () => {
  const { db } = test_.services
  const { sql } = db
  let accounts: { readonly id: string }[] = []
  let groups: { readonly id: string }[] = []
  let number = 0
  /** Two owners with two accounts each, the first with groups, and 30 zones per account. */
  const begin = async () => {
    await sql`delete from users`
    const owners = [await insertUser(db), await insertUser(db)]
    accounts = []
    groups = []
    for (const { id: ownerId } of owners) {
      for (let n = 0; n < 2; n += 1) {
        accounts.push(await insertAccount(db, { ownerId }))
        groups.push(await insertGroup(db, { ownerId }))
        await apply({ do: 'add', account: accounts.length - 1, count: 30 })
      }
    }
    await sql`update zones z set group_id = (select min(g.id::text)::uuid from groups g where g.owner_id = z.owner_id) where abs(hashtext(zone_id)) % 3 = 0`
  }

  const counted = () => sql`
    select owner_id, kind, key, dims, sum(n)::int as n
    from (select * from zone_counts union all select * from zone_count_changes) c
    group by 1, 2, 3, 4 having sum(n) <> 0 order by 1, 2, 3, 4`
  const plain = () => sql`
    select owner_id, kind, key, counted as dims, count(*)::int as n
    from zones cross join lateral (values (0::smallint, owner_id, dims), (1, account_id, dims), (2, group_id, dims), (3, account_id, 0), (4, group_id, 0)) k (kind, key, counted)
    where key is not null group by 1, 2, 3, 4 order by 1, 2, 3, 4`

  const which = fc.nat({ max: 4 })
  const write = fc.oneof(
    fc.record({ do: fc.constant('add' as const), account: fc.nat({ max: 3 }), count: fc.integer({ min: 1, max: 20 }) }),
    fc.record({
      do: fc.constant('read' as const),
      which,
      ssl: fc.constantFrom('off', 'full', 'new_mode', null),
      https: fc.constantFrom(true, false, null),
    }),
    fc.record({ do: fc.constant('status' as const), which, status: fc.constantFrom('active', 'pending', 'error', 'initializing') }),
    fc.record({ do: fc.constant('group' as const), which, group: fc.nat({ max: 4 }) }),
    fc.record({ do: fc.constant('move' as const), which }),
    fc.record({ do: fc.constant('delete' as const), which }),
    fc.record({ do: fc.constant('leave group' as const), group: fc.nat({ max: 3 }) }),
    fc.record({ do: fc.constant('leave account' as const), account: fc.nat({ max: 3 }) }),
    fc.record({ do: fc.constant('roll back' as const) }),
    fc.record({ do: fc.constant('compact' as const) }),
  )
  type Write = typeof write extends fc.Arbitrary<infer T> ? T : never
  const apply = async (step: Write) => {
    switch (step.do) {
      case 'add': {
        const account = accounts[step.account]
        number += 1
        return sql`
          insert into zones (owner_id, account_id, zone_id, name, search, status, provider_status, listed_at)
          select owner_id, id, ${`${number}-`} || i, 'n' || i || '.example', 'n' || i || '.example', 'active', 'active', now()
          from accounts, generate_series(1, ${step.count}::int) i where id = ${account?.id ?? ''}`
      }
      case 'read':
        return sql`update zones set ssl_mode = ${step.ssl}, https = ${step.https}, settings_read_at = now(), records_read_at = now() where abs(hashtext(zone_id)) % 5 = ${step.which}`
      case 'status':
        return sql`update zones set status = ${step.status}::zone_status, plan = 'x' where abs(hashtext(zone_id)) % 5 = ${step.which}`
      case 'group':
        return sql`update zones set group_id = (select id from groups where id = ${groups[step.group]?.id ?? null}) where abs(hashtext(zone_id)) % 5 = ${step.which}`
      case 'move':
        return sql`
          update zones z set account_id = a.id from accounts a
          where a.owner_id = z.owner_id and a.id <> z.account_id and abs(hashtext(zone_id)) % 5 = ${step.which}`
      case 'delete':
        return sql`delete from zones where abs(hashtext(zone_id)) % 5 = ${step.which}`
      case 'leave group':
        return sql`delete from groups where id = ${groups[step.group]?.id ?? ''}`
      case 'leave account':
        return sql`delete from accounts where id = ${accounts[step.account]?.id ?? ''}`
      case 'roll back':
        return sql
          .begin(async (tx) => {
            await tx`update zones set status = 'error'`
            await tx`delete from zones where hashtext(zone_id) % 2 = 0`
            throw new Error('on purpose')
          })
          .catch(() => undefined)
      case 'compact':
        return compactCounts(db)
    }
  }

  await fc.assert(
    fc.asyncProperty(fc.array(write, { minLength: 1, maxLength: 12 }), async (steps) => {
      await begin()
      for (const step of steps) await apply(step)
      expect([...(await counted())]).toEqual([...(await plain())])
    }),
    { numRuns: 25, seed: 20_261_121 },
  )
  await begin()
  expect(await plain()).not.toHaveLength(0)
  await sql`delete from users where id = (select min(id::text)::uuid from users)`
  expect([...(await counted())]).toEqual([...(await plain())])
  await sql`delete from users`
  expect([...(await counted())]).toEqual([])
})

test('R-DOM-01 compaction during writes neither loses nor repeats a difference', async () => {
  const { db } = test_.services
  const owner = await insertUser(db)
  const account = await insertAccount(db, { ownerId: owner.id })
  const writing = Promise.all(
    Array.from({ length: 8 }, async (_, worker) => {
      for (let turn = 0; turn < 10; turn += 1) {
        await db.sql`
          insert into zones (owner_id, account_id, zone_id, name, search, status, provider_status, listed_at)
          select ${owner.id}, ${account.id}, ${`${worker}-${turn}-`} || i, 'x', 'x', 'active', 'active', now() from generate_series(1, 5) i`
      }
    }),
  )
  const compacting = Promise.all(
    [1, 2].map(async () => {
      for (let turn = 0; turn < 15; turn += 1) await compactCounts(db)
    }),
  )
  await Promise.all([writing, compacting])
  while ((await compactCounts(db)) > 0);
  const rows = await db.sql<
    { kind: number; n: number; rows: number }[]
  >`select kind, sum(n)::int as n, count(*)::int as rows from zone_counts group by 1 order by 1`
  expect(rows.map(({ kind, n, rows: count }) => [kind, n, count])).toEqual([
    [0, 400, 1],
    [1, 400, 1],
    [3, 400, 1],
  ])
})

test('R-DOM-01 R-DOM-02 tiles count everything of the owner, and each facet count equals the list with that filter', async () => {
  const { db } = test_.services
  const me = await signIn(test_.services)
  const other = await signIn(test_.services)
  const { accountIds, groupIds } = await seedZones(db, { ownerId: me.user.id, count: 300, accounts: 4, groups: 3 })
  await seedZones(db, { ownerId: other.user.id, count: 50, accounts: 1, groups: 1 })
  for (const [kind, share] of [
    ['KEITARO', 3],
    ['BINOM', 5],
  ] as const) {
    await db.sql`
      with tracker as (insert into trackers (owner_id, kind, name) values (${me.user.id}, ${kind}, ${kind}) returning id)
      insert into tracker_bindings (zone_id, tracker_id) select z.id, tracker.id from zones z, tracker
      where z.owner_id = ${me.user.id} and abs(hashtext(z.zone_id)) % ${share}::int = 1 on conflict do nothing`
  }
  await db.sql`delete from tracker_bindings b using zones z where z.id = b.zone_id and abs(hashtext(z.name)) % 4 = 0`
  const call = callAs(test_.services, me.actor)
  const listed = async (filter: object) => (await call.domains.matchingIds({ filter })).ids.length

  const { tiles } = await call.domains.summary({})
  expect(tiles).toEqual({
    total: 300,
    active: await listed({ status: 'active' }),
    pending: await listed({ status: 'pending' }),
    withSsl: await listed({ ssl: 'on' }),
    alwaysHttps: await listed({ https: 'enabled' }),
    underAttack: await listed({ securityLevel: 'under_attack' }),
  })

  const some = [
    {},
    { status: 'active' },
    { ssl: 'on', https: 'enabled' },
    { ssl: 'flexible', tlsMin: '1.0' },
    { accountIds: accountIds.slice(0, 2) },
    { groupIds: groupIds.slice(0, 1), health: 'ok' },
    { tracker: 'KEITARO', status: 'active' },
    { tracker: 'none', accountIds: accountIds.slice(0, 2) },
    { accountIds: accountIds.slice(1), groupIds: groupIds.slice(1), status: 'active' },
    { email: 'ops2@', https: 'disabled' },
    { email: 'nobody' },
    { search: 'shop', ssl: 'on' },
    { search: 'приме', accountIds: accountIds.slice(0, 1) },
    { ip: '203.0.113.1', status: 'active', groupIds },
    { search: 'https://' },
    { botFightMode: 'enabled' },
    { aiBots: 'block', dnssec: 'disabled', status: 'active' },
    { managedRobotsTxt: 'enabled', accountIds: accountIds.slice(0, 2), ssl: 'on' },
    { aiLabyrinth: 'disabled', groupIds: groupIds.slice(0, 1) },
    { dnssec: 'active', search: 'shop' },
    { originCertificate: 'none', status: 'active' },
    { traffic: 'none' },
    { traffic: 'idle', status: 'active' },
    { traffic: 'ungrouped', accountIds: accountIds.slice(0, 2) },
    { traffic: 'some', accountIds: accountIds.slice(0, 2), botFightMode: 'disabled' },
    { originCertificate: 'valid', accountIds: accountIds.slice(0, 2) },
    { originCertificate: 'expires_soon' },
    { originCertificate: 'expired', botFightMode: 'disabled' },
  ] as const
  for (const filter of some) {
    const summary = await call.domains.summary({ filter })
    expect({ filter, matching: summary.matching }).toEqual({ filter, matching: await listed(filter) })
    expect(summary.tiles).toEqual(tiles)
    for (const [name, counts] of Object.entries(summary.facets)) {
      for (const [value, n] of Object.entries(counts).slice(0, 3)) {
        const narrowed = name === 'account' ? { accountIds: [value] } : name === 'group' ? { groupIds: [value] } : { [name]: value }
        // An email filter applies together with selected accounts.
        if (name === 'account' && 'email' in filter) continue
        expect({ filter, narrowed, n: await listed({ ...filter, ...narrowed }) }).toEqual({ filter, narrowed, n })
      }
    }
  }
})
