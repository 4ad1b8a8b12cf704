import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { writeHistory } from '#server/platform/history.ts'
import { createTestApp, signIn } from '#server/testing/app.ts'
import type { SignedIn, TestApp } from '#server/testing/app.ts'
import { insertAccount, insertZone } from '#server/testing/factories.ts'

let t: TestApp
let ann: SignedIn
beforeAll(async () => {
  t = await createTestApp()
  ann = await signIn(t.services)
})
afterAll(() => t.close())

async function zoneOf(person: SignedIn): Promise<string> {
  const account = await insertAccount(t.services.db, { ownerId: person.user.id })
  return (await insertZone(t.services.db, { ownerId: person.user.id, accountId: account.id })).id
}

const setting = (domainId: string, n: number, revertsId: string | null = null) => ({
  domainId,
  subject: 'setting' as const,
  key: 'ssl',
  label: 'ssl',
  before: { value: `v${n}` },
  after: { value: `v${n + 1}` },
  revertsId,
})

describe('the history of a domain', () => {
  test('is returned newest first in pages, each entry once, even if many have the same time', async () => {
    const domainId = await zoneOf(ann)
    const other = await zoneOf(ann)
    const numbers = Array.from({ length: 130 }, (_, n) => n)
    await writeHistory(
      t.services.db.orm,
      ann,
      { source: 'panel' },
      numbers.slice(0, 125).map((n) => setting(domainId, n)),
    )
    for (const n of numbers.slice(125)) await writeHistory(t.services.db.orm, ann, { source: 'panel' }, [setting(domainId, n)])
    await writeHistory(t.services.db.orm, ann, { source: 'panel' }, [setting(other, 1)])

    const seen: string[] = []
    const times: string[] = []
    let cursor: string | undefined
    do {
      const page = await ann.call.history.list({ id: domainId, limit: 50, ...(cursor === undefined ? {} : { cursor }) })
      seen.push(...page.entries.map((entry) => entry.id))
      times.push(...page.entries.map((entry) => entry.at))
      cursor = page.nextCursor ?? undefined
    } while (cursor !== undefined)
    expect(new Set(seen).size).toBe(130)
    expect(seen).toHaveLength(130)
    expect(times).toEqual(times.toSorted().toReversed())
  })

  test('shows the actor, the source, and the entry that reverted it', async () => {
    const domainId = await zoneOf(ann)
    await writeHistory(t.services.db.orm, ann, { source: 'panel' }, [setting(domainId, 1)])
    await writeHistory(t.services.db.orm, null, { source: 'outside' }, [{ ...setting(domainId, 2), subject: 'record', key: 'r1' }])
    const { entries } = await ann.call.history.list({ id: domainId })
    const first = entries.find((entry) => entry.source === 'panel')
    if (first === undefined) throw new Error('there is none')
    await writeHistory(t.services.db.orm, ann, { source: 'revert' }, [setting(domainId, 1, first.id)])

    expect((await ann.call.history.list({ id: domainId, source: 'outside' })).entries).toMatchObject([
      { actor: null, subject: 'record', key: 'r1', revertsId: null, revertedById: null },
    ])
    const [revert, ...rest] = (await ann.call.history.list({ id: domainId, subject: 'setting' })).entries
    expect(revert).toMatchObject({ source: 'revert', revertsId: first.id, actor: { id: ann.user.id, name: ann.actor.name } })
    expect(rest).toMatchObject([{ id: first.id, revertedById: revert?.id, before: { value: 'v1' }, after: { value: 'v2' } }])
  })

  test('has the entries of one change by its batch, in pages, also if newer ones of other changes would fill a page', async () => {
    const domainId = await zoneOf(ann)
    const [batchId, other] = [randomUUID(), randomUUID()]
    const write = (batch: string, numbers: readonly number[]) =>
      writeHistory(
        t.services.db.orm,
        ann,
        { source: 'panel', batchId: batch },
        numbers.map((n) => setting(domainId, n)),
      )
    await write(batchId, [1, 2, 3])
    await write(other, [4, 5])
    const first = await ann.call.history.list({ id: domainId, batchId, limit: 2 })
    const second = await ann.call.history.list({ id: domainId, batchId, limit: 2, cursor: first.nextCursor ?? '' })
    const entries = [...first.entries, ...second.entries]
    expect(entries.map((entry) => entry.batchId)).toEqual([batchId, batchId, batchId])
    expect(new Set(entries.map(({ id }) => id)).size).toBe(3)
    expect(second.nextCursor).toBeNull()
    expect((await ann.call.history.list({ id: await zoneOf(ann), batchId })).entries).toEqual([])
    const answer = await t.app.inject({ url: `/api/zones/${domainId}/history?batchId=${other}`, headers: ann.headers })
    expect(answer.json()).toMatchObject({ entries: [{ batchId: other }, { batchId: other }], nextCursor: null })
  })

  test.each(['x', 'a_b', '2026-01-01T00:00:00.000Z_x', '2026-01-01T00:00:00.000Z_01a1fcdd-50f5-7bb3-90c9-934147e5e7fb_more'])(
    'refuses an invalid cursor: %s',
    async (cursor) => {
      const domainId = await zoneOf(ann)
      await expect(ann.call.history.list({ id: domainId, cursor })).rejects.toMatchObject({ cause: { code: 'validation_failed' } })
    },
  )

  test('R-PRM-02 is visible only to the owner and administrators', async () => {
    const domainId = await zoneOf(ann)
    const bob = await signIn(t.services)
    const admin = await signIn(t.services, { role: 'admin' })
    await expect(bob.call.history.list({ id: domainId })).rejects.toMatchObject({ cause: { code: 'not_found' } })
    expect(await admin.call.history.list({ id: domainId })).toEqual({ entries: [], nextCursor: null })
  })

  test('is a REST route', async () => {
    const domainId = await zoneOf(ann)
    await writeHistory(t.services.db.orm, ann, { source: 'panel' }, [setting(domainId, 1)])
    const answer = await t.app.inject({ url: `/api/zones/${domainId}/history?limit=1&subject=setting`, headers: ann.headers })
    expect(answer.json()).toMatchObject({ entries: [{ key: 'ssl' }], nextCursor: null })
  })
})
