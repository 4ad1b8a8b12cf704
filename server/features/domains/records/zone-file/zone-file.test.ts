import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { signIn } from '#server/testing/app.ts'
import type { SignedIn } from '#server/testing/app.ts'
import { insertAccount, insertZone } from '#server/testing/factories.ts'
import { createTestPanel } from '#server/testing/panel.ts'
import type { TestPanel } from '#server/testing/panel.ts'
import { buildApp } from '#server/app.ts'
import { mostZoneFileLines } from '#shared/features/domains/records/parse-zone-file.ts'

let panel: TestPanel
let me: SignedIn
let accountId: string
let zoneAt = 0
/** A zone that no other test has changed. */
let id: string
let name: string
let providerId: string

beforeAll(async () => {
  panel = await createTestPanel({ world: { zones: 40, accounts: 1, recordsPerZone: 30, plain: false } })
  me = await signIn(panel.services)
  const { email, globalKey } = panel.credential(0)
  const credential = { secrets: panel.services.secrets, apiKey: globalKey }
  accountId = (await insertAccount(panel.services.db, { ownerId: me.user.id, email }, credential)).id
})
afterAll(() => panel.close())

const plans = { free: 'Free Website', pro: 'Pro Website', business: 'Business Website', enterprise: 'Enterprise Website' } as const
async function takeZone(plan: 'free' | 'pro'): Promise<void> {
  const free = [...panel.simulator.state.zonesById.values()].filter((zone) => zone.plan === 'free')
  const zone = free[zoneAt]
  zoneAt += 1
  if (zone === undefined) throw new Error('no zone is left')
  zone.plan = plan
  providerId = zone.id
  name = zone.name
  const given = { ownerId: me.user.id, accountId, providerZoneId: zone.id, name: zone.name, plan: plans[plan] }
  id = (await insertZone(panel.services.db, given)).id
}
beforeEach(() => takeZone('free'))

const list = async () => (await me.call.records.list({ id })).records
const refreshed = async () => (await me.call.records.refresh({ id })).records
const writes = () => ['POST', 'PATCH', 'PUT', 'DELETE'].reduce((sum, method) => sum + panel.simulator.journal.count({ method }), 0)
const has = (records: Awaited<ReturnType<typeof list>>, type: string, label: string) =>
  records.filter((record) => record.type === type && record.name === `${label}.${name}`)

describe('R-DNS-05 export', () => {
  test('returns the provider’s file, and importing it changes nothing', async () => {
    const { text, fileName } = await me.call.records.exportFile({ id })
    expect(fileName).toBe(`${name}.txt`)
    expect(text).toContain(`$ORIGIN ${name}.`)
    const plan = await me.call.records.previewImport({ id, text, mode: 'replace', proxied: true })
    expect(plan).toMatchObject({ added: [], changed: [], deleted: [], calls: 0, unchanged: (await list()).length })
    expect(new Set(plan.refused.map(({ code }) => code))).toEqual(new Set(['soa', 'apex_ns']))
  })

  test('returns the mirror’s records while the provider is unavailable, and importing them changes nothing', async () => {
    const records = await refreshed()
    const heal = panel.simulator.faults.add({
      path: `/zones/${providerId}/dns_records/export`,
      effect: { kind: 'server-error', status: 503 },
    })
    const { text } = await me.call.records.exportFile({ id })
    heal()
    expect(text).toContain('as read at')
    const plan = await me.call.records.previewImport({ id, text, mode: 'replace' })
    expect(plan).toMatchObject({ added: [], changed: [], deleted: [], refused: [], unchanged: records.length })
  })
})

test('R-DOM-09 files of many domains come from the mirror in one call, importing them changes nothing, and the provider is not called', async () => {
  const unread = id
  await takeZone('free')
  const records = await refreshed()
  panel.simulator.journal.reset()
  const stranger = await signIn(panel.services)
  expect(await stranger.call.records.exportFiles({ zoneIds: [id] })).toEqual({ files: [] })
  const { files } = await me.call.records.exportFiles({ zoneIds: [unread, id] })
  expect(files.map(({ fileName }) => fileName)).toEqual([`${name}.txt`])
  expect(panel.simulator.journal.count()).toBe(0)
  const plan = await me.call.records.previewImport({ id, text: files[0]?.text ?? '', mode: 'replace' })
  expect(plan).toMatchObject({ added: [], changed: [], deleted: [], refused: [], unchanged: records.length })
})

test('files from the mirror have the records that Cloudflare no longer lists, too, and say so', async () => {
  const { length } = await refreshed()
  const heal = panel.simulator.faults.add({ path: `/zones/${providerId}/dns_records`, effect: { kind: 'short-list', share: 0.2 } })
  expect((await refreshed()).length).toBeLessThan(length)
  heal()
  const stop = panel.simulator.faults.add({
    path: `/zones/${providerId}/dns_records/export`,
    effect: { kind: 'server-error', status: 503 },
  })
  const { files } = await me.call.records.exportFiles({ zoneIds: [id] })
  const texts = [files[0]?.text ?? '', (await me.call.records.exportFile({ id })).text]
  stop()
  expect(await refreshed()).toHaveLength(length)
  for (const text of texts) {
    expect(text).toContain('with records that Cloudflare no longer lists')
    const plan = await me.call.records.previewImport({ id, text, mode: 'replace' })
    expect(plan).toMatchObject({ added: [], changed: [], deleted: [], refused: [], unchanged: length })
  }
})

describe('R-DNS-05 import', () => {
  test('the preview sends nothing; the import does exactly that in one call, atomic per name', async () => {
    const before = await refreshed()
    const writesBefore = writes()
    const text = 'fresh 300 A 192.0.2.77 ; new one\nfresh2 TXT "a; \\"b\\""\n_sip._tcp.fresh SRV 10 5 5060 fresh\nfresh A 192.0.2.300'
    const plan = await me.call.records.previewImport({ id, text })
    expect(plan).toMatchObject({
      added: { length: 3 },
      changed: [],
      deleted: [],
      calls: 1,
      refused: [{ line: 4, code: 'invalid_content', problem: { code: 'record_ipv4' } }],
    })
    expect(writes()).toBe(writesBefore)

    expect(await me.call.records.importFile({ id, text, token: plan.token })).toEqual({ done: 3, failed: [] })
    expect(writes()).toBe(writesBefore + 1)
    const after = await refreshed()
    expect(after).toHaveLength(before.length + 3)
    expect(has(after, 'A', 'fresh')).toMatchObject([{ content: '192.0.2.77', ttl: 300, comment: 'new one' }])
    expect(has(after, 'SRV', '_sip._tcp.fresh')).toMatchObject([{ priority: 10, data: { weight: 5, port: 5060, target: `fresh.${name}` } }])
    const { entries } = await me.call.history.list({ id })
    expect(entries.map(({ source }) => source)).toEqual(['panel', 'panel', 'panel'])
    expect(new Set(entries.map(({ batchId }) => batchId)).size).toBe(1)
    expect(await me.call.records.previewImport({ id, text })).toMatchObject({ added: [], unchanged: 3 })
  })

  test('a large file of one repeated line is parsed in a thread: other work continues, and the answer stays small', async () => {
    await refreshed()
    const text = Array.from({ length: mostZoneFileLines }, () => 'fresh 300 IN A 192.0.2.77 ; a comment to make it long').join('\n')
    const before = process.threadCpuUsage()
    const plan = await me.call.records.previewImport({ id, text })
    const spent = process.threadCpuUsage(before)
    // Parsed in this thread, it takes well over a second.
    expect((spent.user + spent.system) / 1000, 'milliseconds of this thread').toBeLessThan(600)
    expect(plan).toMatchObject({ added: { length: 1 }, refusedCount: mostZoneFileLines - 1, refused: { length: 1_000 } })
    expect(JSON.stringify(plan).length).toBeLessThan(300_000)
    await expect(me.call.records.previewImport({ id, text: `${text}\n` })).rejects.toMatchObject({
      cause: { issues: [{ path: 'text', message: 'too_many_lines', params: { max: mostZoneFileLines } }] },
    })
  })

  test('replacing leaves exactly what the file contains', async () => {
    const before = await refreshed()
    const kept = before.find(({ type }) => type === 'A')
    if (kept === undefined) throw new Error('no A')
    const text = `${kept.name}. 600 IN A 192.0.2.200 ; cf_tags=cf-proxied:false\nonly AAAA 2001:db8::1`
    const plan = await me.call.records.previewImport({ id, text, mode: 'replace' })
    expect(plan.changed).toMatchObject([{ line: 1, after: { content: '192.0.2.200', ttl: 600 } }])
    const answer = await me.call.records.importFile({ id, text, mode: 'replace', token: plan.token })
    expect(answer).toEqual({ done: before.length + 1, failed: [] })
    expect((await refreshed()).map(({ type, content }) => `${type} ${content}`).toSorted()).toEqual(['A 192.0.2.200', 'AAAA 2001:db8::1'])
  })

  test('is refused if the records or the file changed since the preview, and sends nothing', async () => {
    await refreshed()
    const text = 'fresh A 192.0.2.77'
    const { token } = await me.call.records.previewImport({ id, text })
    const writesBefore = writes()
    for (const order of [
      { text: 'fresh A 192.0.2.78' },
      { text, mode: 'replace' as const },
      { text, proxied: true },
      { text, token: 'x' },
    ]) {
      await expect(me.call.records.importFile({ id, token, ...order })).rejects.toMatchObject({ cause: { code: 'conflict' } })
    }
    expect(writes()).toBe(writesBefore)
    await me.call.records.create({ id, type: 'A', name: 'fresh', content: '192.0.2.77' })
    await expect(me.call.records.importFile({ id, text, token })).rejects.toMatchObject({ cause: { code: 'conflict' } })
  })

  test('a file above the 256 KiB limit of the provider’s own import is imported in one call', async () => {
    await takeZone('pro')
    const text = Array.from(
      { length: 3_000 },
      (_, n) => `host-${n}.with-a-name-that-is-rather-long-for-a-host ${'\t'.repeat(40)} 300 IN A 192.0.2.${n % 250}`,
    ).join('\n')
    expect(text.length).toBeGreaterThan(262_144)
    const plan = await me.call.records.previewImport({ id, text })
    expect(plan).toMatchObject({ addedCount: 3_000, added: { length: 1_000 }, refused: [], calls: 1 })
    expect(await me.call.records.importFile({ id, text, token: plan.token })).toEqual({ done: 3_000, failed: [] })
    expect((await refreshed()).filter(({ name }) => name.startsWith('host-'))).toHaveLength(3_000)
  })

  test('a refused call does not stop the others and is reported for its rows', async () => {
    await refreshed()
    // The quota is reached in the second call of 200.
    const text = Array.from({ length: 1_200 }, (_, n) => `q${n} A 192.0.2.1`).join('\n')
    const plan = await me.call.records.previewImport({ id, text })
    expect(plan.calls).toBe(6)
    const { done, failed } = await me.call.records.importFile({ id, text, token: plan.token })
    expect(done % 200).toBe(0)
    expect(done + failed.length).toBe(1_200)
    expect(failed.length).toBeGreaterThan(0)
    expect(new Set(failed.map(({ code }) => code))).toContain('provider_rejected')
    expect(failed.every(({ kind, recordId, type }) => kind === 'create' && recordId === null && type === 'A')).toBe(true)
    // Every row is named, including those beyond the preview's limit.
    expect(failed.map(({ index, name: failedName }) => `${index} ${failedName}`)).toContain(`1199 q1199.${name}`)
    expect(await list()).toHaveLength((await refreshed()).length)
  })

  test('R-DNS-05 the preview predicts a full zone: how many records are too many, and nothing if they fit or the limit is unknown', async () => {
    await refreshed()
    const { quota, used } = await me.call.records.usage({ id })
    const left = (quota ?? 0) - used
    expect(left).toBeGreaterThan(0)
    const lines = (count: number) => Array.from({ length: count }, (_, n) => `full${n} A 192.0.2.1`).join('\n')
    expect(await me.call.records.previewImport({ id, text: lines(left) })).toMatchObject({ full: null })
    expect(await me.call.records.previewImport({ id, text: lines(left + 7) })).toMatchObject({ full: { quota, excess: 7 } })
    // Deletions make room.
    expect(await me.call.records.previewImport({ id, text: lines(left + 7), mode: 'replace' })).toMatchObject({ full: null })
    const heal = panel.simulator.faults.add({
      path: `/zones/${providerId}/dns_records/usage`,
      effect: { kind: 'server-error', status: 503 },
    })
    expect(await me.call.records.previewImport({ id, text: lines(left + 7) })).toMatchObject({ added: { length: left + 7 }, full: null })
    heal()
  })

  test('when the provider becomes unavailable halfway, the rest is held back and the mirror stays correct', async () => {
    await refreshed()
    const text = Array.from({ length: 450 }, (_, n) => `away${n} A 192.0.2.1`).join('\n')
    const plan = await me.call.records.previewImport({ id, text })
    expect(plan.calls).toBe(3)
    const heal = panel.simulator.faults.add({
      path: `/zones/${providerId}/dns_records/batch`,
      effect: { kind: 'server-error', status: 503 },
    })
    const { done, failed } = await me.call.records.importFile({ id, text, token: plan.token })
    heal()
    expect([done, failed.length]).toEqual([0, 450])
    expect(failed.filter(({ code }) => code === 'held_back')).toHaveLength(250)
    expect((await list()).length).toBe((await refreshed()).length)
  })

  test('over REST: export, preview, import', async () => {
    const app = await buildApp(panel.services, { publicUrl: 'http://panel.test', trustProxy: [], clientDir: null })
    const file = await app.inject({ url: `/api/zones/${id}/dns-records/export`, headers: me.headers })
    expect(file.json()).toMatchObject({ fileName: `${name}.txt` })
    const payload = { text: 'rest A 192.0.2.5' }
    const preview = await app.inject({ method: 'POST', url: `/api/zones/${id}/dns-records/import/preview`, headers: me.headers, payload })
    expect(preview.json()).toMatchObject({ added: [{ line: 1, name: `rest.${name}` }], calls: 1 })
    const { token } = preview.json<{ token: string }>()
    const done = await app.inject({
      method: 'POST',
      url: `/api/zones/${id}/dns-records/import`,
      headers: me.headers,
      payload: { ...payload, token },
    })
    expect(done.json()).toEqual({ done: 1, failed: [] })
    await app.close()
  })
})
