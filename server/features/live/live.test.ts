import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { createPendingEvents } from '#server/features/live/coalesce-events.ts'
import { mostStreams, watchEvents } from '#server/features/live/watch-events.ts'
import { createTestApp, signIn } from '#server/testing/app.ts'
import type { SignedIn } from '#server/testing/app.ts'
import { createFakeClock } from '#server/testing/fake-clock.ts'
import type { FakeClock } from '#server/testing/fake-clock.ts'
import { contextOf, createTestServices } from '#server/testing/services.ts'
import type { TestServices } from '#server/testing/services.ts'
import { AppError } from '#shared/errors/app-error.ts'
import type { LiveEvent } from '#shared/features/live/schema.ts'

const id = (n: number) => `01a1fcdd-50f5-7bb3-90c9-${String(n).padStart(12, '0')}`
const ids = (...ns: number[]) => ns.map(id)
const accounts = (...ns: number[]): LiveEvent => ({ kind: 'accounts', accountIds: ids(...ns) })

let t: TestServices
let clock: FakeClock
beforeAll(async () => {
  clock = createFakeClock()
  t = await createTestServices({ clock })
})
afterAll(() => t.close())

/** Listens as this user; `heard` collects the events. */
function listen(who: SignedIn, options: { readonly resumed?: boolean; readonly of?: TestServices } = {}) {
  const { services } = options.of ?? t
  const stop = new AbortController()
  const heard: LiveEvent[] = []
  const done = (async () => {
    const events = watchEvents({
      ctx: contextOf(services, who.actor),
      recheck: async () => {
        if ((await services.sessions.find(who.token)) === null) throw new AppError('unauthorized')
      },
      resumed: options.resumed ?? false,
      signal: stop.signal,
    })
    for await (const event of events) heard.push(event)
  })()
  const settled = done.catch(() => undefined)
  onTestFinished(async () => {
    stop.abort()
    await settled
  })
  return { heard, done, stop: () => stop.abort() }
}

/** Resolves when everything published before has been delivered to this process's listeners. */
async function delivered(services = t.services): Promise<void> {
  const marker = crypto.randomUUID()
  await new Promise<void>((resolve) => {
    const end = services.events.subscribe((owner) => {
      if (owner !== marker) return
      end()
      resolve()
    })
    void services.events.publish(services.db.orm, marker, 'domains', [id(0)])
  })
}

test('users receive events of their own resources only, administrators those of all users', async () => {
  const [ann, bob, admin] = await Promise.all([signIn(t.services), signIn(t.services), signIn(t.services, { role: 'admin' })])
  const ears = [ann, bob, admin].map((who) => listen(who))
  await t.services.events.publish(t.services.db.orm, ann.user.id, 'accounts', ids(1))
  await delivered()
  await expect.poll(() => ears[0]?.heard).toEqual([accounts(1)])
  await expect.poll(() => ears[2]?.heard).toContainEqual(accounts(1))
  expect(ears[1]?.heard).toEqual([])
})

test('changes within a quarter of a second become one message per kind', async () => {
  const ann = await signIn(t.services)
  const { heard } = listen(ann)
  await t.services.events.publish(t.services.db.orm, ann.user.id, 'accounts', ids(1))
  await expect.poll(() => heard.length).toBe(1)
  for (let n = 2; n <= 9; n += 1) await t.services.events.publish(t.services.db.orm, ann.user.id, 'accounts', ids(n, n + 1))
  await delivered()
  expect(heard).toHaveLength(1)
  await clock.advance(250)
  await expect.poll(() => heard).toEqual([accounts(1), accounts(2, 3, 4, 5, 6, 7, 8, 9, 10)])
})

test('an event with too many accounts to list applies to all accounts', () => {
  const pending = createPendingEvents()
  for (let n = 0; n < 60; n += 1) pending.add(accounts(n))
  pending.add({ kind: 'domains', accountIds: [id(1)] })
  expect(pending.take()).toEqual([
    { kind: 'accounts', accountIds: [] },
    { kind: 'domains', accountIds: [id(1)] },
  ])
  expect(pending.take()).toEqual([])
})

test('a rolled-back transaction publishes nothing', async () => {
  const ann = await signIn(t.services)
  const { heard } = listen(ann)
  await t.services.db.orm
    .transaction(async (tx) => {
      await t.services.events.publish(tx, ann.user.id, 'accounts', ids(1))
      throw new Error('taken back')
    })
    .catch(() => undefined)
  await t.services.events.publish(t.services.db.orm, ann.user.id, 'accounts', ids(2))
  await expect.poll(() => heard).toEqual([accounts(2)])
})

test('after a reconnect the client is asked to refetch everything', async () => {
  const { heard } = listen(await signIn(t.services), { resumed: true })
  await expect
    .poll(() => heard)
    .toEqual([
      { kind: 'accounts', accountIds: [] },
      { kind: 'domains', accountIds: [] },
    ])
})

test('after the listening connection was lost, all clients are asked to refetch everything; invalid notifications are ignored', async () => {
  const { heard } = listen(await signIn(t.services))
  await t.services.db.sql`select pg_notify('zonedeck_live', 'noise'), pg_notify('zonedeck_live', 'x {"kind":"unknown"}')`
  await t.services.db.sql`
    select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid() and query ilike 'listen %'`
  await expect
    .poll(() => heard)
    .toEqual([
      { kind: 'accounts', accountIds: [] },
      { kind: 'domains', accountIds: [] },
    ])
})

test('an ended session receives nothing more, and its stream ends within ten seconds', async () => {
  const at = createFakeClock()
  const own = await createTestServices({ clock: at })
  onTestFinished(() => own.close())
  const [ann, bob] = await Promise.all([signIn(own.services), signIn(own.services)])
  const busy = listen(ann, { of: own })
  const idle = listen(bob, { of: own })
  await own.services.sessions.end(own.services.db.orm, ann.actor.sessionId)
  await own.services.sessions.end(own.services.db.orm, bob.actor.sessionId)
  await own.services.events.publish(own.services.db.orm, ann.user.id, 'accounts', ids(1))
  await expect(busy.done).rejects.toThrow('unauthorized')
  expect(busy.heard).toEqual([])
  await at.advance(10_000)
  await expect(idle.done).rejects.toThrow('unauthorized')
})

test('a new listener first receives the events of the last seconds, excluding those of other users', async () => {
  const own = await createTestServices()
  onTestFinished(() => own.close())
  const [ann, bob] = await Promise.all([signIn(own.services), signIn(own.services)])
  const first = listen(ann, { of: own })
  await own.services.events.publish(own.services.db.orm, bob.user.id, 'accounts', ids(2))
  await own.services.events.publish(own.services.db.orm, ann.user.id, 'accounts', ids(1))
  await expect.poll(() => first.heard).toEqual([accounts(1)])
  const late = listen(ann, { of: own })
  await expect.poll(() => late.heard).toEqual([accounts(1)])
})

test('on shutdown, streams end with a reason to reconnect', async () => {
  const own = await createTestServices({ clock: createFakeClock() })
  onTestFinished(() => own.close())
  const { done } = listen(await signIn(own.services), { of: own })
  own.stop()
  await expect(done).rejects.toThrow('shutting_down')
})

test('over HTTP, events arrive as they happen with ids, and disconnecting ends the subscription', async () => {
  const own = await createTestApp()
  onTestFinished(() => own.close())
  const ann = await signIn(own.services)
  const address = await own.app.listen({ host: '127.0.0.1', port: 0 })
  const hangUp = new AbortController()
  const answer = await fetch(`${address}/trpc/live.events`, { headers: ann.headers, signal: hangUp.signal })
  expect(answer.headers.get('content-type')).toContain('text/event-stream')
  const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  const readUntil = async (part: string) => {
    while (!text.includes(part)) text += (await reader?.read())?.value ?? ''
  }
  await readUntil('event: connected')
  await own.services.events.publish(own.services.db.orm, ann.user.id, 'accounts', ids(7))
  await readUntil(id(7))
  expect(text).toMatch(/id: [\w-]+-1/)
  hangUp.abort()
})

test.each([
  [
    'owes a second factor',
    'second_factor_required',
    (userId: string) => `insert into panel_settings (key, value) values ('twoFactor', '"everyone"') -- ${userId}`,
  ],
  ['has another role', 'unauthorized', (userId: string) => `update users set role = 'user' where id = '${userId}'`],
  ['has taken it back', 'unauthorized', (userId: string) => `delete from api_tokens where user_id = '${userId}'`],
])('R-PRM-01 the stream of a token whose person %s ends, and sends nothing more', async (_what, code, change) => {
  const own = await createTestApp()
  onTestFinished(() => own.close())
  const admin = await signIn(own.services, { role: 'admin' })
  const { secret } = await admin.call.apiTokens.create({ name: 'watcher', scope: 'read' })
  const address = await own.app.listen({ host: '127.0.0.1', port: 0 })
  const answer = await fetch(`${address}/trpc/live.events`, { headers: { authorization: `Bearer ${secret}` } })
  const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  const readUntil = async (part: string) => {
    while (!text.includes(part)) text += (await reader?.read())?.value ?? ''
  }
  await readUntil('event: connected')
  await own.services.events.publish(own.services.db.orm, admin.user.id, 'accounts', ids(7))
  await readUntil(id(7))
  await own.services.db.sql.unsafe(change(admin.user.id))
  await own.services.events.publish(own.services.db.orm, admin.user.id, 'accounts', ids(8))
  await readUntil(`"${code}"`)
  expect(text).not.toContain(id(8))
})

test('a user has at most fifty open streams; closing one frees a slot, and other users are not affected', async () => {
  const own = await createTestServices({ clock: createFakeClock() })
  onTestFinished(() => own.close())
  const [ann, bob] = [await signIn(own.services), await signIn(own.services)]
  const open = Array.from({ length: mostStreams }, () => listen(ann, { of: own }))
  await expect(listen(ann, { of: own }).done).rejects.toMatchObject({ code: 'too_many_streams', params: { max: mostStreams } })
  const other = listen(bob, { of: own })
  open[0]?.stop()
  await open[0]?.done
  const again = listen(ann, { of: own })
  for (const each of [...open, other, again]) each.stop()
  await expect(again.done).resolves.toBeUndefined()
  await expect(other.done).resolves.toBeUndefined()
})
