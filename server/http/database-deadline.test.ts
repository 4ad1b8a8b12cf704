import { once } from 'node:events'
import { connect as open, createServer } from 'node:net'
import type { AddressInfo, Socket } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { buildApp } from '#server/app.ts'
import { connect } from '#server/db/client.ts'
import { createSessions } from '#server/platform/sessions.ts'
import { createTestApp, signIn } from '#server/testing/app.ts'

/** A proxy between the panel and its database that can stall or refuse connections. */
async function startProxy(url: string) {
  let silent = false
  const sockets = new Set<Socket>()
  const { hostname, port } = new URL(url)
  const proxy = createServer((client) => {
    const server = open(Number(port), hostname)
    for (const socket of [client, server]) {
      sockets.add(socket)
      socket.on('error', () => undefined).on('close', () => [client, server].map((each) => each.destroy()))
    }
    server.on('data', (bytes) => silent || client.write(bytes))
    client.on('data', (bytes) => silent || server.write(bytes))
  })
  proxy.listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  const close = () => {
    proxy.close()
    for (const socket of sockets) socket.destroy()
  }
  onTestFinished(close)
  const at = String((proxy.address() as AddressInfo).port)
  return { url: Object.assign(new URL(url), { port: at }).href, fallSilent: () => (silent = true), close }
}

async function stage() {
  const t = await createTestApp()
  onTestFinished(() => t.close())
  const { headers } = await signIn(t.services)
  const proxy = await startProxy(t.databaseUrl)
  const db = connect(proxy.url)
  const app = await buildApp(
    { ...t.services, db, sessions: createSessions(db) },
    { publicUrl: 'http://panel.test', trustProxy: [], clientDir: null },
  )
  onTestFinished(async () => {
    await app.close()
    await db.close()
  })
  const asked = ['/api/accounts', '/trpc/me.get']
  const ask = () => Promise.all(asked.map((url) => app.inject({ url, headers })))
  for (const { statusCode } of await ask()) expect(statusCode).toBe(200)
  return { proxy, ask }
}

const unavailable = { code: 'database_unavailable' }

test('requests are answered 503 with Retry-After while the database does not respond', async () => {
  const { proxy, ask } = await stage()
  proxy.fallSilent()
  const [rest, trpc] = await ask()
  expect([rest?.statusCode, rest?.headers['retry-after'], rest?.json()]).toEqual([503, '5', expect.objectContaining(unavailable)])
  expect([trpc?.statusCode, trpc?.json()]).toMatchObject([503, { error: { data: unavailable } }])
}, 60_000)

test('requests are answered 503 while no database is listening', async () => {
  const { proxy, ask } = await stage()
  proxy.close()
  for (let turn = 0; turn < 3; turn += 1) {
    const [rest, trpc] = await ask()
    expect([rest?.statusCode, rest?.json()]).toEqual([503, expect.objectContaining(unavailable)])
    expect([trpc?.statusCode, trpc?.json()]).toMatchObject([503, { error: { data: unavailable } }])
  }
}, 60_000)

test.each([
  ['53100', 'database_full'],
  ['53200', 'database_unavailable'],
  ['58030', 'database_unavailable'],
])('a statement that PostgreSQL fails with %s is answered 503 with Retry-After and code %s', async (sqlState, code) => {
  const t = await createTestApp()
  onTestFinished(() => t.close())
  const { headers } = await signIn(t.services)
  await t.services.db.sql.unsafe(`
    create function lacking() returns trigger language plpgsql as $$ begin raise exception 'lacking' using errcode = '${sqlState}'; end $$;
    create trigger lacking before insert on groups for each row execute function lacking()`)
  const ask = (url: string) => t.app.inject({ method: 'POST', url, headers, payload: { name: 'Shops' } })
  const [rest, trpc] = [await ask('/api/groups'), await ask('/trpc/groups.create')]
  expect([rest.statusCode, rest.headers['retry-after'], rest.json()]).toEqual([503, '5', expect.objectContaining({ code })])
  expect([trpc.statusCode, trpc.json()]).toMatchObject([503, { error: { data: { code } } }])
})
