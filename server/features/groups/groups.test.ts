import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { groupIcon } from '#shared/features/groups/schema.ts'
import type { LiveEvent } from '#shared/features/live/schema.ts'
import { createTestApp, signIn } from '#server/testing/app.ts'
import type { SignedIn, TestApp } from '#server/testing/app.ts'
import { insertAccount, insertGroup, insertZone, insertZones } from '#server/testing/factories.ts'
import faults from '#shared/i18n/locales/en/faults.json' with { type: 'json' }
import validation from '#shared/i18n/locales/en/validation.json' with { type: 'json' }
import { seedZones } from '#server/testing/seed-zones.ts'

let server: TestApp
let anna: SignedIn
let boris: SignedIn
let admin: SignedIn
let domainIds: string[]
let foreignZone: string
let accountId: string

beforeAll(async () => {
  server = await createTestApp()
})
afterAll(() => server.close())

beforeEach(async () => {
  const { services } = server
  ;[anna, boris, admin] = await Promise.all([signIn(services), signIn(services), signIn(services, { role: 'admin' })])
  accountId = (await insertAccount(services.db, { ownerId: anna.user.id })).id
  domainIds = (await insertZones(services.db, { ownerId: anna.user.id, accountId }, 5)).map(({ id }) => id)
  const theirs = await insertAccount(services.db, { ownerId: boris.user.id })
  foreignZone = (await insertZone(services.db, { ownerId: boris.user.id, accountId: theirs.id })).id
})

const refusal = (code: string) => ({ cause: expect.objectContaining({ code }) as unknown })
const rest = (method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: string, payload?: object, who = anna) =>
  server.app.inject({ method, url: `/api/groups${path}`, headers: who.headers, ...(payload && { payload }) })
const created = async (name: string) => (await anna.call.groups.create({ name })).group
const groupOf = async (domainId: string) => (await anna.call.domains.get({ id: domainId })).zone.groupId
const activity = (id: string) =>
  server.services.db.sql<{ action: string; details: object }[]>`
    select action, details from activity where entity_type = 'group' and entity_id = ${id} order by created_at, id`
const history = (domainId: string) =>
  server.services.db.sql<{ source: string; before: unknown; after: unknown; batchId: string | null; actorId: string }[]>`
    select source, before, after, batch_id, actor_id from zone_changes where zone_id = ${domainId} and key = 'group' order by at, id`

/** Events published while `work` runs; markers before and after it ensure that all earlier events have arrived. */
async function eventsDuring(work: () => Promise<unknown>): Promise<unknown[]> {
  const { events, db } = server.services
  const heard: [string | null, LiveEvent][] = []
  const passed = new Map<string, () => void>()
  const end = events.subscribe((ownerId, event) => {
    const pass = passed.get(ownerId ?? '')
    if (pass === undefined) heard.push([ownerId, event])
    else pass()
  })
  const settle = async () => {
    const marker = crypto.randomUUID()
    const { promise, resolve } = Promise.withResolvers<void>()
    passed.set(marker, resolve)
    await events.publish(db.orm, marker, 'domains')
    await promise
  }
  await settle()
  heard.splice(0)
  await work()
  await settle()
  end()
  return heard
}

describe('R-GRP-01 the fields of a group', () => {
  test('R-GRP-01 a list is returned as `groups`, a single one as `group`, each with its number of domains', async () => {
    const answer = await rest('POST', '', { name: '  Shops ', description: 'All\nof them', icon: 'store', color: '#4C6EF5' })
    expect(answer.statusCode).toBe(201)
    const { group } = answer.json<{ group: { id: string } }>()
    const fields = { name: 'Shops', description: 'All\nof them', icon: 'store', color: '#4c6ef5', ownerId: anna.user.id }
    expect(group).toMatchObject({ ...fields, zonesCount: 0, createdAt: expect.stringMatching(/^\d{4}-.*Z$/) as unknown })
    await rest('POST', `/${group.id}/zones`, { zoneIds: domainIds.slice(0, 3) })
    expect((await rest('GET', '')).json()).toMatchObject({ groups: [{ ...fields, zonesCount: 3 }] })
    expect((await rest('GET', `/${group.id}`)).json()).toMatchObject({ group: { ...fields, zonesCount: 3 } })
  })

  test.each([
    [{ name: '' }, 'name', 'required'],
    [{ name: '   ' }, 'name', 'required'],
    [{}, 'name', 'required'],
    [{ name: 'x'.repeat(101) }, 'name', 'too_long'],
    [{ name: 'a\nb' }, 'name', 'invalid_characters'],
    [{ name: 'Shops\u202egro.knab' }, 'name', 'invalid_characters'],
    [{ name: 'x', description: 'x'.repeat(501) }, 'description', 'too_long'],
    [{ name: 'x', description: 'a\u0007' }, 'description', 'invalid_characters'],
    [{ name: 'x', color: 'red' }, 'color', 'invalid_color'],
    [{ name: 'x', color: '#12345' }, 'color', 'invalid_color'],
    [{ name: 'x', color: '#12345g' }, 'color', 'invalid_color'],
    [{ name: 'x', color: '#123456;background:url(//evil)' }, 'color', 'invalid_color'],
    [{ name: 'x', icon: 'skull' }, 'icon', 'invalid_choice'],
  ] as const)('R-GRP-01 %j is refused with the field', async (payload, path, message) => {
    const answer = await rest('POST', '', payload)
    expect(answer.statusCode).toBe(400)
    expect(answer.json()).toMatchObject({
      code: 'validation_failed',
      issues: [
        {
          path,
          message: { ...validation, ...faults }[message]
            .replace('{{max}}', path === 'name' ? '100' : '500')
            .replace('{{values}}', `${groupIcon.options.slice(0, 40).join(', ')}${groupIcon.options.length > 40 ? ', …' : ''}`),
        },
      ],
    })
    expect((await anna.call.groups.list({})).groups).toEqual([])
  })

  test('R-GRP-01 the longest name and description fit, a short color is expanded, and a name is plain text', async () => {
    const name = '<img src=x onerror=alert(1)>'.padEnd(100, 'я')
    const { group } = await anna.call.groups.create({ name, description: 'd'.repeat(500), color: '#AbC' })
    expect(group).toMatchObject({ name, description: 'd'.repeat(500), color: '#aabbcc', icon: null })
    expect((await anna.call.groups.create({ name, color: '' })).group.color).toBeNull()
    expect((await anna.call.groups.update({ id: group.id, color: '' })).group.color).toBeNull()
  })
})

test('R-GRP-04 a new group is placed at the top', async () => {
  for (const name of ['first', 'second', 'third']) await created(name)
  expect((await anna.call.groups.list({})).groups.map(({ name }) => name)).toEqual(['third', 'second', 'first'])
})

test('R-GRP-02 a change touches only the given fields, is logged with values before and after, and publishes an event', async () => {
  const { group } = await anna.call.groups.create({ name: 'Shops', description: 'old', icon: 'store', color: '#4c6ef5' })
  const received = await eventsDuring(() => rest('PATCH', `/${group.id}`, { name: 'Stores', description: '', icon: null }))
  expect((await anna.call.groups.get({ id: group.id })).group).toMatchObject({
    name: 'Stores',
    description: null,
    icon: null,
    color: '#4c6ef5',
  })
  expect(await activity(group.id)).toMatchObject([
    { action: 'create', details: { name: 'Shops', description: 'old' } },
    {
      action: 'update',
      details: { name: { from: 'Shops', to: 'Stores' }, description: { from: 'old', to: null }, icon: { from: 'store', to: null } },
    },
  ])
  expect(received).toEqual([[anna.user.id, { kind: 'domains', accountIds: [] }]])
  expect(await eventsDuring(() => anna.call.groups.update({ id: group.id, name: 'Stores' }))).toEqual([])
  expect(await activity(group.id)).toHaveLength(2)
})

describe('R-GRP-02 domains of a group', () => {
  test('R-GRP-02 adding and removing domains updates counts, history, activity log and change events', async () => {
    const group = await created('Shops')
    const [first = '', second = ''] = domainIds
    const received = await eventsDuring(() => rest('POST', `/${group.id}/zones`, { zoneIds: [first, second, first.toUpperCase()] }))
    expect(received).toEqual([[anna.user.id, { kind: 'domains', accountIds: [accountId] }]])
    expect([await groupOf(first), await groupOf(second)]).toEqual([group.id, group.id])
    // Domains already in the group are not written again.
    expect((await anna.call.groups.addZones({ id: group.id, zoneIds: [first, second] })).group.zonesCount).toBe(2)

    const answer = await rest('DELETE', `/${group.id}/zones`, { zoneIds: [second, domainIds[2]] })
    expect([answer.statusCode, answer.json<{ group: object }>().group]).toMatchObject([200, { id: group.id, zonesCount: 1 }])
    const value = { id: group.id, name: 'Shops' }
    const own = { source: 'panel', actorId: anna.user.id }
    expect(await history(second)).toMatchObject([
      { ...own, before: { value: null }, after: { value } },
      { ...own, before: { value }, after: { value: null } },
    ])
    expect((await history(first)).map((row) => row.batchId)).toEqual([(await history(second))[0]?.batchId])
    expect(await history(domainIds[2] ?? '')).toEqual([])
    expect((await activity(group.id)).map(({ details }) => details)).toMatchObject([{}, { domainsAdded: 2 }, { domainsRemoved: 1 }])
  })

  test('R-GRP-02 a domain that is added leaves its previous group, and the history can revert that', async () => {
    const [one, other] = [await created('One'), await created('Other')]
    const [zone = ''] = domainIds
    await anna.call.groups.addZones({ id: one.id, zoneIds: [zone] })
    await anna.call.groups.addZones({ id: other.id, zoneIds: [zone] })
    const counts = new Map((await anna.call.groups.list({})).groups.map(({ name, zonesCount }) => [name, zonesCount]))
    expect(Object.fromEntries(counts)).toEqual({ One: 0, Other: 1 })
    expect((await history(zone)).at(-1)).toMatchObject({
      before: { value: { id: one.id, name: 'One' } },
      after: { value: { id: other.id, name: 'Other' } },
    })
    // Removing it from a group that it is not in changes nothing.
    await anna.call.groups.removeZones({ id: one.id, zoneIds: [zone] })
    expect(await groupOf(zone)).toBe(other.id)
  })

  test('R-GRP-02 a single unknown or foreign id prevents the whole change', async () => {
    const group = await created('Shops')
    for (const stray of [foreignZone, crypto.randomUUID()]) {
      for (const who of [anna, admin]) {
        await expect(who.call.groups.addZones({ id: group.id, zoneIds: [...domainIds, stray] })).rejects.toMatchObject(refusal('not_found'))
        await expect(who.call.groups.removeZones({ id: group.id, zoneIds: [stray] })).rejects.toMatchObject(refusal('not_found'))
      }
    }
    expect(await groupOf(domainIds[0] ?? '')).toBeNull()
    expect(await history(domainIds[0] ?? '')).toEqual([])
    expect(await activity(group.id)).toHaveLength(1)
    expect((await rest('POST', `/${group.id}/zones`, { zoneIds: [] })).statusCode).toBe(400)
  })

  test('R-GRP-02 deleting a group keeps its domains, and their history has its name', async () => {
    const group = await created('Shops')
    await anna.call.groups.addZones({ id: group.id, zoneIds: domainIds })
    expect((await rest('DELETE', `/${group.id}`)).statusCode).toBe(204)
    expect((await rest('GET', `/${group.id}`)).statusCode).toBe(404)
    expect((await anna.call.domains.summary({})).tiles.total).toBe(5)
    expect(await groupOf(domainIds[0] ?? '')).toBeNull()
    expect((await history(domainIds[0] ?? '')).at(-1)).toMatchObject({
      before: { value: { id: group.id, name: 'Shops' } },
      after: { value: null },
    })
    expect((await activity(group.id)).at(-1)).toMatchObject({ action: 'delete', details: { domains: 5 } })
  })
})

test('R-PRM-02 groups of others are not found; an administrator sees and edits them without becoming the owner', async () => {
  const group = await insertGroup(server.services.db, { ownerId: boris.user.id, name: 'Theirs' })
  expect((await anna.call.groups.list({ ownerId: boris.user.id })).groups).toEqual([])
  for (const [method, path, payload] of [
    ['GET', ''],
    ['PATCH', '', { name: 'x' }],
    ['DELETE', ''],
    ['POST', '/zones', { zoneIds: domainIds }],
    ['DELETE', '/zones', { zoneIds: [foreignZone] }],
  ] as const) {
    expect([method, path, (await rest(method, `/${group.id}${path}`, payload)).statusCode]).toEqual([method, path, 404])
  }
  expect((await admin.call.groups.list({ ownerId: boris.user.id })).groups).toMatchObject([{ id: group.id, ownerId: boris.user.id }])
  expect((await admin.call.groups.addZones({ id: group.id, zoneIds: [foreignZone] })).group.zonesCount).toBe(1)
})

test('R-GRP-02 two thousand domains are added to a group and removed from it in one call each', async () => {
  const { services } = server
  await seedZones(services.db, { ownerId: boris.user.id, count: 2_000, accounts: 60, groups: 3, prefix: `g${boris.user.username}-` })
  const { ids } = await boris.call.domains.matchingIds({})
  const { group } = await boris.call.groups.create({ name: 'Everything' })
  expect((await boris.call.groups.addZones({ id: group.id, zoneIds: ids })).group.zonesCount).toBe(ids.length)
  expect((await boris.call.groups.removeZones({ id: group.id, zoneIds: ids })).group.zonesCount).toBe(0)
  const [eventsDuring] = await services.db
    .sql`select count(*)::int as n from zone_changes c join zones z on z.id = c.zone_id where z.owner_id = ${boris.user.id}`
  expect(eventsDuring).toEqual({ n: 2 * ids.length })
})
