import { expect, onTestFinished, test } from 'vitest'
import { createTestApp, signIn } from '#server/testing/app.ts'
import { insertAccount, insertGroup, insertZones } from '#server/testing/factories.ts'
import { createFakeClock } from '#server/testing/fake-clock.ts'
import type { PublicStatus } from '#shared/features/monitoring/reports.ts'

async function createTestPages() {
  const clock = createFakeClock(Date.parse('2026-11-20T10:30:00Z'))
  const t = await createTestApp({ clock })
  onTestFinished(() => t.close())
  const me = await signIn(t.services)
  /** The title of the public page at this address. */
  const title = async (address: string) => {
    const answer = await t.app.inject({ method: 'GET', url: `/api/status/${address}` })
    return answer.statusCode === 200 ? answer.json<{ title: string }>().title : answer.statusCode
  }
  /** Changes only the database; cached pages do not change. */
  const rename = (to: string) => t.services.db.sql`update status_pages set title = ${to}`
  return { t, clock, me, title, rename }
}

test('a status page is read once in half a minute, however its address is spelled', async () => {
  const { t, clock, me, title, rename } = await createTestPages()
  const { id: groupId } = await insertGroup(t.services.db, { ownerId: me.user.id })
  await me.call.monitoring.saveStatusPage({ groupId, slug: 'my-shops', title: 'before' })
  expect(await title('my-shops')).toBe('before')
  await rename('after')
  for (const spelling of ['my-shops', 'MY-SHOPS', 'My-Shops', 'my%2Dshops', '%4dy-sho%50s']) {
    expect([spelling, await title(spelling)]).toEqual([spelling, 'before'])
  }
  for (const odd of ['my-shops?slug=other', `my-shops${'x'.repeat(100)}`]) expect([odd, await title(odd)]).toEqual([odd, 400])
  await clock.advance(30_001)
  expect(await title('MY-SHOPS')).toBe('after')
})

test('unusual traffic is not shown to visitors, neither as the health of a domain nor as an incident', async () => {
  const { t, me, clock } = await createTestPages()
  const { db } = t.services
  const { id: groupId } = await insertGroup(db, { ownerId: me.user.id })
  const { id: accountId } = await insertAccount(db, { ownerId: me.user.id })
  const names = ['quiet.example', 'quiet-and-slow.example', 'quiet-and-unseen.example', 'fine.example']
  const zones = await insertZones(db, { ownerId: me.user.id, accountId }, names.length, (index) => ({ name: names[index] ?? '', groupId }))
  const reason = (code: string) => ({ code, params: {}, regions: [] })
  const quiet = [reason('traffic_dropped'), reason('traffic_threats')]
  const reasons = [quiet, [...quiet, reason('slow')], quiet, []]
  const now = new Date(clock.now()).toISOString()
  for (const [index, { id, name }] of zones.entries()) {
    const found = reasons[index] ?? []
    await db.sql`
      insert into zone_monitors (zone_id, owner_id, interval_seconds, slot, regions, health, reasons)
      values (${id}, ${me.user.id}, 300, 0, '{EUROPE}', ${found.length === 0 ? 'ok' : 'warnings'}, ${JSON.stringify(found)}::text::jsonb)`
    await db.sql`
      insert into zone_views (zone_id, region, state, checked_at)
      values (${id}, 'EUROPE', ${name === 'quiet-and-unseen.example' ? 'unknown' : 'up'}, ${now})`
    for (const each of found)
      await db.sql`
        insert into incidents (owner_id, zone_id, name, health, reasons, cause, opened_at)
        values (${me.user.id}, ${id}, ${name}, 'warnings', ${JSON.stringify([each])}::text::jsonb, ${`code:${each.code}`}, ${now})`
  }
  await me.call.monitoring.saveStatusPage({ groupId, slug: 'my-shops', title: 'My shops' })
  const answer = await t.app.inject({ method: 'GET', url: '/api/status/my-shops' })
  const { domains, incidents } = answer.json<PublicStatus>()
  expect(domains.map(({ name, health }) => [name, health])).toEqual([
    ['quiet-and-slow.example', 'warnings'],
    ['quiet-and-unseen.example', 'unknown'],
    ['fine.example', 'ok'],
    ['quiet.example', 'ok'],
  ])
  expect(incidents.map(({ name }) => name)).toEqual(['quiet-and-slow.example'])
})

test('the cache of status pages is bounded, and a new page evicts only the oldest', async () => {
  const { t, me, title, rename } = await createTestPages()
  const kept = 500
  await t.services.db.sql`
    with made as (insert into groups (owner_id, name) select ${me.user.id}, 'Group ' || n from generate_series(0, ${kept}::int) n returning id, name)
    insert into status_pages (owner_id, group_id, slug, title, enabled) select ${me.user.id}, id, 'page-' || substr(name, 7), 'before', true from made`
  for (let at = 0; at < kept; at++) await title(`page-${at}`)
  // Unknown addresses evict no cached page.
  for (let at = 0; at < 20; at++) expect(await title(`nobody-${at}`)).toBe(404)
  await rename('between')
  expect(await title('page-0')).toBe('before')
  expect(await title(`page-${kept}`)).toBe('between')
  await rename('after')
  expect(await title('page-1')).toBe('before')
  expect(await title(`page-${kept - 1}`)).toBe('before')
  expect(await title(`page-${kept}`)).toBe('between')
  expect(await title('page-0')).toBe('after')
}, 30_000)
