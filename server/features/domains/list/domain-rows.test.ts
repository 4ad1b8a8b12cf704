import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestApp, signIn } from '#server/testing/app.ts'
import type { SignedIn, TestApp } from '#server/testing/app.ts'
import { seedRegistrars } from '#server/testing/seed-registrars.ts'
import { seedZones } from '#server/testing/seed-zones.ts'
import { unpackRows } from '#shared/features/domains/packed-rows.ts'
import { domainSortKey, listedDomainFields } from '#shared/features/domains/schema.ts'
import type { Domain } from '#shared/features/domains/schema.ts'

let server: TestApp
let owner: SignedIn
let guest: SignedIn
let stranger: SignedIn
let admin: SignedIn

beforeAll(async () => {
  server = await createTestApp()
  const { services } = server
  owner = await signIn(services)
  guest = await signIn(services)
  stranger = await signIn(services)
  admin = await signIn(services, { role: 'admin' })
  const { groupIds } = await seedZones(services.db, { ownerId: owner.user.id, count: 160, accounts: 40 })
  await seedRegistrars(services.db, owner.user.id)
  await services.db.sql`update zones set gone_at = now() where name in (select name from zones order by name limit 3)`
  await seedZones(services.db, { ownerId: guest.user.id, count: 20, prefix: 'g' })
  for (const [index, groupId] of groupIds.slice(0, 2).entries())
    await owner.call.sharing.create({ groupId, user: guest.user.username, level: index === 0 ? 'view' : 'operate' })
})
afterAll(() => server.close())

const shownOf = (row: Domain) => Object.fromEntries(listedDomainFields.map((field) => [field, row[field]]))

test.each(domainSortKey.options)('the panel’s list and whole rows agree for everyone, by %s and page by page', async (by) => {
  for (const { call } of [owner, guest, admin]) {
    for (const direction of ['asc', 'desc'] as const) {
      const view = { sort: { by, direction }, limit: 70 }
      const whole = await call.domains.list(view)
      const listed = await call.domains.rows(view)
      expect(unpackRows(listed.rows)).toEqual(whole.domains.map(shownOf))
      expect(listed.nextCursor).toBe(whole.nextCursor)
      const next = { ...view, ...(whole.nextCursor !== null && { cursor: whole.nextCursor }) }
      expect(unpackRows((await call.domains.rows(next)).rows)).toEqual((await call.domains.list(next)).domains.map(shownOf))
      const jump = { ...view, offset: 15, filter: { health: 'ok' as const } }
      expect(unpackRows((await call.domains.rows(jump)).rows)).toEqual((await call.domains.list(jump)).domains.map(shownOf))
    }
  }
})

test('a row of the panel’s list takes at most 300 bytes', async () => {
  const { headers } = owner
  const input = encodeURIComponent(JSON.stringify({ limit: 50 }))
  const { body } = await server.app.inject({ url: `/trpc/domains.rows?input=${input}`, headers })
  expect(Buffer.byteLength(body) / 50).toBeLessThanOrEqual(300)
})

test('whole rows by id have the requested order and leave out what the caller may not see', async () => {
  const { domains } = await owner.call.domains.list({ limit: 3 })
  const ids = domains.map(({ id }) => id).toReversed()
  expect((await owner.call.domains.byId({ ids })).domains).toEqual(domains.toReversed())
  expect((await stranger.call.domains.byId({ ids })).domains).toEqual([])
})
