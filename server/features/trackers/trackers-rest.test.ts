import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestApp, signIn } from '#server/testing/app.ts'
import type { TestApp } from '#server/testing/app.ts'
import { insertAccount, insertZone } from '#server/testing/factories.ts'

let t: TestApp
beforeAll(async () => {
  t = await createTestApp()
})
afterAll(() => t.close())

test('R-TRK-01 the four fields, trackers, their reconciliation and the reserve are available over REST', async () => {
  const { headers, user } = await signIn(t.services)
  const ask = async (method: 'GET' | 'POST' | 'PATCH' | 'DELETE', url: string, payload?: object) => {
    const answer = await t.app.inject({ method, url: `/api${url}`, headers, ...(payload && { payload }) })
    return { status: answer.statusCode, body: answer.body === '' ? null : answer.json<unknown>() }
  }
  const set = await ask('PATCH', '/settings/trackers', { keitaroUrl: 'https://k.example/', keitaroApiKey: 'secret-of-k' })
  expect(set).toMatchObject({ status: 200, body: { settings: { keitaroUrl: 'https://k.example', keitaro: { enabled: true } } } })
  expect(await ask('GET', '/settings/trackers')).toEqual(set)
  const made = await ask('POST', '/trackers', { kind: 'BINOM', name: 'B', url: 'https://b.example', apiKey: 'secret-of-b' })
  expect(made).toMatchObject({ status: 201, body: { tracker: { kind: 'BINOM', isDefault: true } } })
  const { id } = (made.body as { tracker: { id: string } }).tracker
  expect(await ask('GET', `/trackers/${id}`)).toMatchObject({ status: 200, body: { tracker: { id } } })
  expect(await ask('PATCH', `/trackers/${id}`, { url: 'https://evil.example' })).toMatchObject({
    status: 400,
    body: { code: 'validation_failed' },
  })
  expect(await ask('POST', '/trackers', { kind: 'BINOM', name: 'B', url: 'https://b.example', apiKey: 'x' })).toMatchObject({
    status: 409,
    body: { code: 'tracker_exists' },
  })

  const account = await insertAccount(t.services.db, { ownerId: user.id })
  const zone = await insertZone(t.services.db, { ownerId: user.id, accountId: account.id })
  const reconciled = { status: 200, body: { counts: { not_bound: 1 }, rows: [{ states: ['not_bound'], zone: { id: zone.id } }] } }
  expect(await ask('GET', `/trackers/reconciliation?state=not_bound&limit=5&trackerIds=${id}`)).toMatchObject(reconciled)
  expect(await ask('GET', `/trackers/reconciliation?state=not_bound&trackerIds=${id},${id}`)).toMatchObject(reconciled)
  expect(await ask('POST', '/reserve-domains', { zoneIds: [zone.id] })).toEqual({ status: 204, body: null })
  expect(await ask('GET', '/reserve-domains')).toMatchObject({
    status: 200,
    body: { domains: [{ zoneId: zone.id, problems: ['unread'] }] },
  })
  expect(await ask('POST', '/reserve-domains/remove', { zoneIds: [zone.id] })).toEqual({ status: 204, body: null })
  expect(await ask('GET', `/zones/${zone.id}/tracker`)).toEqual({ status: 200, body: { binding: null } })
  expect(await ask('DELETE', `/trackers/${id}`)).toEqual({ status: 204, body: null })
})

test('R-PRM-04 a response that shows a key is never stored for replay: an Idempotency-Key is refused', async () => {
  const { headers, call } = await signIn(t.services)
  const { tracker } = await call.trackers.create({ kind: 'KEITARO', name: 'M', url: 'https://m.example', apiKey: 'shown-to-its-owner' })
  const show = (more: Record<string, string>) =>
    t.app.inject({ method: 'POST', url: `/api/trackers/${tracker.id}/login-details`, headers: { ...headers, ...more } })
  expect((await show({ 'idempotency-key': 'show-it' })).json()).toMatchObject({ code: 'validation_failed' })
  expect((await show({})).json()).toEqual({ apiKey: 'shown-to-its-owner' })
  const kept = await t.services.db.sql`select key from idempotency_keys where key = 'show-it'`
  expect(kept).toEqual([])
})
