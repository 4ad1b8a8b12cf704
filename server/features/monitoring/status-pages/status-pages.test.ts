import { expect, onTestFinished, test } from 'vitest'
import { createTestApp, signIn } from '#server/testing/app.ts'
import { insertGroup } from '#server/testing/factories.ts'
import { createFakeClock } from '#server/testing/fake-clock.ts'

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
