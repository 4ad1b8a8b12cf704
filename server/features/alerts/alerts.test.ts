import { afterEach, expect, test } from 'vitest'
import { createTestAlerts, insertChannel, insertIncidents } from '#server/testing/alerts.ts'
import type { TestAlerts } from '#server/testing/alerts.ts'

let t: TestAlerts
afterEach(() => t.close())

const texts = () => t.telegram.state.ledger.map(({ text }) => text)
const settled = async () => {
  const [row] = await t.services.db.sql<{ n: number }[]>`
    select (select count(*)::int from incidents where open_taken_at is null) + (select count(*)::int from outbox where state in ('pending', 'sending')) as n`
  return row?.n
}

test('R-MON-04 what went down is told once, with its reason and what to do, and its end with the length of the outage', async () => {
  t = await createTestAlerts()
  const [incident] = await insertIncidents(t.services, t.owner.user.id, [
    { name: 'shop.example', openedAt: new Date(Date.now() - 240_000) },
  ])
  await t.start()
  await expect.poll(() => texts().length).toBe(1)
  expect(texts()[0]).toMatch(
    /^🔴 shop\.example is down\nThe site answers with an error \(status 503\)\nSeen from: Europe\nSince .+\nWhat to do: Open the site/,
  )
  await t.services.db.sql`update incidents set closed_at = opened_at + interval '3 minutes' where id = ${incident?.id ?? ''}`
  await expect.poll(() => texts().length).toBe(2)
  expect(texts()[1]).toBe('🟢 shop.example is fine again\nThe site answers with an error (status 503)\nIt lasted 3 min')
  await expect.poll(settled).toBe(0)
  expect(texts()).toHaveLength(2)
})

test('R-MON-04 many with one root are one message with their number and the first names', async () => {
  t = await createTestAlerts()
  await insertIncidents(
    t.services,
    t.owner.user.id,
    Array.from({ length: 37 }, (_, at) => ({ name: `site${at}.example`, cause: 'origin:192.0.2.7' })),
  )
  await t.start()
  await expect.poll(() => texts().length).toBe(1)
  expect(texts()[0]).toMatch(/^🔴 37 domains are down\nAll on the server 192\.0\.2\.7\n/)
  expect(texts()[0]).toContain('site0.example, site1.example')
  expect(texts()[0]).toContain('and 27 more')
  await insertChannel(t.services, { ownerId: t.owner.user.id, chatId: '1' })
})
