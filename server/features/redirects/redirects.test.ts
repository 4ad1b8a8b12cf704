import { describe, expect, test } from 'vitest'
import { applyEdit } from '#server/simulators/cloudflare/control.ts'
import { recordsOf } from '#server/simulators/cloudflare/records.ts'
import { signIn } from '#server/testing/app.ts'
import { createOperationWorld } from '#server/testing/operation-world.ts'
import { AppError } from '#shared/errors/app-error.ts'
import type { Redirect } from '#shared/features/redirects/schema.ts'
import { planInWorker } from './plan-in-worker.ts'
import { noOthers, planRedirects } from './plan-redirects.policy.ts'
import { listBySource, putRedirects, replaceMirror } from './redirects.repo.ts'

const errorCode = (code: string) => ({ cause: { code } })
const off = { preserveQueryString: false, includeSubdomains: false, subpathMatching: false, preservePathSuffix: false }
const to = (source: string, target: string): Redirect => ({ source, target, status: 301, ...off })

async function createStage() {
  const world = await createOperationWorld(3, 1)
  const { panel, ann, accountIds, sims } = world
  const [id = ''] = accountIds
  const [zone] = sims
  if (zone === undefined) throw new Error('no zone')
  const { state } = panel.simulator
  state.listOperationMs = 20
  const at = zone.account.id
  const { call } = ann
  /** Source and target of each item of a list at Cloudflare. */
  const hosted = (name = 'zonedeck_redirects') =>
    [...(state.redirectLists.get(at)?.values() ?? [])]
      .filter((list) => list.name === name)
      .flatMap(({ items }) => [...items.values()].map(({ redirect }) => `${redirect.source_url} ${redirect.target_url}`))
      .toSorted()
  const outside = (name: string, ...redirects: readonly (readonly [string, string])[]) =>
    applyEdit(state, {
      kind: 'redirect-list',
      accountId: at,
      name,
      redirects: redirects.map(([source_url, target_url]) => ({ source_url, target_url, preserve_path_suffix: false })),
    })
  const preview = (input: Omit<Parameters<typeof call.operations.previewRedirects>[0], 'id'>) =>
    call.operations.previewRedirects({ id, ...input })
  async function apply(input: Parameters<typeof preview>[0]) {
    const { preview: drafted } = await preview(input)
    const operation = drafted?.operation.id ?? ''
    await call.operations.start({ id: operation })
    await world.reaches(operation, 'done')
    return operation
  }
  const stored = async () => (await call.redirects.list({ id })).redirects.map(({ source, target }) => `${source} ${target}`)
  return { ...world, id, zone, state, at, call, hosted, outside, preview, apply, stored }
}

describe('an import', () => {
  test('is previewed without a call that changes anything, applied, read back, and undone', async () => {
    const { id, zone, call, hosted, outside, preview, apply, stored, state, at, panel, work, beginUndo, reaches } = await createStage()
    outside('zonedeck_redirects', [`${zone.name}/kept`, 'https://t.example/1'], [`${zone.name}/old`, 'https://t.example/2'])
    outside('theirs', [`${zone.name}/theirs`, 'https://t.example/3'])
    const csv = `${zone.name}/kept,https://t.example/1\n${zone.name}/new,https://t.example/4,302\n${zone.name}/kept,https://t.example/5\nx,y`
    const before = hosted()
    const { summary, preview: drafted } = await preview({ csv, mode: 'replace' })
    expect(summary).toMatchObject({
      added: 1,
      changed: 0,
      removed: 1,
      unchanged: 1,
      count: 2,
      first: {
        added: [{ source: `${zone.name}/new`, target: 'https://t.example/4', status: 302 }],
        changed: [],
        removed: [{ source: `${zone.name}/old`, target: 'https://t.example/2' }],
      },
      othersCount: 1,
      limit: 10_000,
      lineErrors: {
        count: 2,
        first: [
          { line: 3, issue: 'duplicate_source', firstLine: 1 },
          { line: 4, issue: 'source_invalid' },
        ],
      },
    })
    expect(drafted).toMatchObject({ operation: { kind: 'redirects', total: 1 } })
    expect(await call.operations.items({ id: drafted?.operation.id ?? '' })).toMatchObject({
      items: [{ displayName: `${zone.name}/old +1`, plan: { redirects: { added: 1, changed: 0, removed: 1 } } }],
    })
    expect(hosted()).toEqual(before)
    expect(panel.simulator.journal.count({ method: 'POST' })).toBe(0)

    await work()
    const operation = await apply({ csv, mode: 'replace' })
    expect(hosted()).toEqual([`${zone.name}/kept https://t.example/1`, `${zone.name}/new https://t.example/4`])
    expect(await stored()).toEqual(hosted())
    expect(hosted('theirs')).toHaveLength(1)
    expect(state.redirectRules.get(at)?.rules).toMatchObject([{ ref: 'zonedeck_redirects' }])
    expect((await call.redirects.list({ id })).list).toMatchObject({ count: 2, rule: 'enabled' })

    await reaches(await beginUndo(operation), 'done')
    expect(hosted()).toEqual(before)
    expect((await call.redirects.refresh({ id })).list).toMatchObject({ count: 2, rule: 'enabled' })
    expect(await stored()).toEqual(hosted())
  })

  test('of an exported file changes nothing', async () => {
    const { id, call, zone, outside, preview } = await createStage()
    outside('zonedeck_redirects', [zone.name, 'https://t.example/a,b;=1'], [`https://${zone.name}/x`, 'https://t.example/'])
    const { csv } = await call.redirects.export({ id })
    expect(await preview({ csv, mode: 'replace' })).toMatchObject({
      summary: { added: 0, changed: 0, removed: 0, unchanged: 2, lineErrors: { count: 0 } },
      preview: null,
    })
  })

  test('of more than the account may have, or of more than 100,000 rows, is refused before anything is sent', async () => {
    const { preview, outside, panel } = await createStage()
    outside('theirs', ['theirs.example', 'https://t.example/'])
    const rows = (count: number) => Array.from({ length: count }, (_, at) => `a.example/${at},https://t.example/`).join('\n')
    await expect(preview({ csv: rows(10_000) })).rejects.toMatchObject(errorCode('redirect_limit_reached'))
    await expect(preview({ csv: rows(100_001) })).rejects.toMatchObject(errorCode('too_many_redirects'))
    const { summary } = await preview({ csv: rows(9_999) })
    expect(summary).toMatchObject({ added: 9_999, count: 9_999 })
    expect(summary.first.added).toHaveLength(20)
    expect(panel.simulator.journal.count({ method: 'POST' })).toBe(0)
  })

  test('warns of loops, chains, domains of others, and sources without a proxied record', async () => {
    const { zone, sims, preview, services, ids } = await createStage()
    const [, second] = sims
    const record = { type: 'A', content: '192.0.2.1', ttl: 1, record_id: '1' }
    await services.db.sql`
      insert into dns_records ${services.db.sql({ ...record, zone_id: ids[0] ?? '', name: `*.${zone.name}`, proxied: true })}`
    await services.db.sql`
      insert into dns_records ${services.db.sql({ ...record, zone_id: ids[1] ?? '', name: second?.name ?? '', proxied: false })}`
    const put = [
      to(`www.${zone.name}/a`, `https://www.${zone.name}/b`),
      to(`www.${zone.name}/b`, 'https://t.example/'),
      to('stranger.example/', 'https://stranger.example/'),
      to(`${second?.name}/`, 'https://t.example/'),
    ]
    const { summary, preview: drafted } = await preview({ put })
    expect(summary).toMatchObject({
      chains: { count: 1, first: [{ source: `www.${zone.name}/a`, next: `www.${zone.name}/b` }] },
      loops: { count: 1, first: [{ source: 'stranger.example/', next: 'stranger.example/' }] },
      foreign: { count: 1, first: ['stranger.example/'] },
      unproxied: { count: 0 },
      dnsOnly: { count: 1, first: [second?.name] },
    })
    expect(Object.keys(drafted?.dangers ?? {}).toSorted()).toEqual([
      'redirect_chain',
      'redirect_dns_only',
      'redirect_foreign',
      'redirect_loop',
    ])
  })
})

describe('proxied records', () => {
  async function createRecordStage() {
    const stage = await createStage()
    const { zone, state, services, ids } = stage
    const [, second] = stage.sims
    if (second === undefined) throw new Error('no second zone')
    const records = (of = zone) =>
      recordsOf(state, of)
        .map(({ type, name, content, proxied }) => `${type} ${name} ${content} ${proxied}`)
        .toSorted()
    /** A record at Cloudflare that the panel has read. */
    async function has(at: number, type: string, name: string, content: string, proxied = false) {
      const simZone = stage.sims[at]
      if (simZone === undefined) throw new Error('no zone')
      applyEdit(state, { kind: 'create-record', zone: simZone.id, record: { type, name, content, proxied, ttl: 1 } })
      await services.db
        .sql`insert into dns_records ${services.db.sql({ zone_id: ids[at] ?? '', record_id: name, type, name, content, ttl: 1, proxied })}`
    }
    return { ...stage, second, records, has }
  }

  test('are created for hostnames that have no record, and deleted by the undo', async () => {
    const { zone, second, preview, call, records, has, work, reaches, beginUndo, hosted } = await createRecordStage()
    await has(1, 'A', second.name, '192.0.2.1')
    await has(0, 'A', `proxied.${zone.name}`, '192.0.2.1', true)
    const before = [records(), records(second)]
    const put = [
      { ...to(`old.${zone.name}/`, 'https://t.example/'), includeSubdomains: true },
      to(`old.${zone.name}/x`, 'https://t.example/'),
      to(`proxied.${zone.name}/`, 'https://t.example/'),
      to(`${second.name}/`, 'https://t.example/'),
      to('stranger.example/', 'https://t.example/'),
    ]
    const hosts = { missingRecords: { count: 1, first: [`old.${zone.name}`] }, dnsOnly: { count: 1, first: [second.name] } }
    const plain = await preview({ put })
    // A hostname that is DNS only is named once.
    expect(plain.summary).toMatchObject({ ...hosts, unproxied: { count: 2, first: [`old.${zone.name}/`, `old.${zone.name}/x`] } })
    expect(plain.preview?.operation.total).toBe(1)
    const { summary, preview: drafted } = await preview({ put, createRecords: true })
    expect(summary).toMatchObject({ ...hosts, unproxied: { count: 0 } })
    expect(drafted?.dangers).toEqual({ redirect_foreign: 1, redirect_dns_only: 1 })
    const operation = drafted?.operation.id ?? ''
    expect((await call.operations.items({ id: operation })).items).toMatchObject([
      { domain: zone.name, plan: { after: [{ type: 'AAAA', name: `old.${zone.name}`, content: '100::', proxied: true, ttl: 1 }] } },
      { plan: { redirects: { added: 5 } } },
    ])
    await call.operations.start({ id: operation })
    await work()
    await reaches(operation, 'done')
    expect(records()).toEqual([...(before[0] ?? []), `AAAA old.${zone.name} 100:: true`].toSorted())
    expect(records(second)).toEqual(before[1])
    expect(hosted()).toHaveLength(5)
    await reaches(await beginUndo(operation), 'done')
    expect([records(), records(second)]).toEqual(before)
    expect(hosted()).toEqual([])
    expect((await call.operations.items({ id: operation })).items.map(({ state }) => state)).toEqual(['undone', 'undone'])
  })

  test('are created for redirects that are there already', async () => {
    const { zone, preview, outside, records, work, reaches, call, hosted } = await createRecordStage()
    outside('zonedeck_redirects', [`kept.${zone.name}/`, 'https://t.example/'])
    const put = [{ ...to(`kept.${zone.name}/`, 'https://t.example/'), preservePathSuffix: false }]
    const plain = await preview({ put })
    expect(plain).toMatchObject({ summary: { unchanged: 1, unproxied: { count: 1 }, missingRecords: { count: 1 } }, preview: null })
    const { summary, preview: drafted } = await preview({ put, createRecords: true })
    expect(summary).toMatchObject({ added: 0, changed: 0, unchanged: 1, missingRecords: { count: 1 } })
    expect(drafted?.operation.total).toBe(1)
    await call.operations.start({ id: drafted?.operation.id ?? '' })
    await work()
    await reaches(drafted?.operation.id ?? '', 'done')
    expect(records()).toContain(`AAAA kept.${zone.name} 100:: true`)
    expect(hosted()).toHaveLength(1)
  })

  test('of a domain whose records were never read are created unless Cloudflare has one, with a warning', async () => {
    const { zone, state, preview, services, records, work, reaches, call } = await createRecordStage()
    const [taken, free] = [`taken.${zone.name}`, `free.${zone.name}`]
    await services.db.sql`update zones set records_read_at = null, records_count = null`
    applyEdit(state, {
      kind: 'create-record',
      zone: zone.id,
      record: { type: 'A', name: taken, content: '192.0.2.9', proxied: true, ttl: 1 },
    })
    const put = [to(`${taken}/`, 'https://t.example/'), to(`${free}/`, 'https://t.example/')]
    const plain = await preview({ put })
    expect(plain.summary).toMatchObject({ missingRecords: { count: 2 }, unreadRecords: { count: 2 }, unproxied: { count: 0 } })
    expect(plain.preview?.dangers).toEqual({ records_unread: 1 })
    const { preview: drafted } = await preview({ put, createRecords: true })
    const operation = drafted?.operation.id ?? ''
    expect(drafted?.dangers).toEqual({ records_unread: 1 })
    await call.operations.start({ id: operation })
    await work()
    await reaches(operation, 'done')
    expect((await call.operations.items({ id: operation })).items.map(({ state: now, code }) => [now, code])).toEqual([
      ['done', null],
      ['done', null],
    ])
    expect(records().filter((record) => record.includes('taken.') || record.includes('free.'))).toEqual([
      `A ${taken} 192.0.2.9 true`,
      `AAAA ${free} 100:: true`,
    ])
  })

  test('do not hide a wildcard record or a delegation that was added since the preview', async () => {
    const { zone, state, preview, records, work, reaches, call } = await createRecordStage()
    const put = ['a.plain', 'a.proxied', 'a.delegated', 'free'].map((label) => to(`${label}.${zone.name}/`, 'https://t.example/'))
    const operation = (await preview({ put, createRecords: true })).preview?.operation.id ?? ''
    const add = (record: Readonly<Record<string, unknown>>) =>
      applyEdit(state, { kind: 'create-record', zone: zone.id, record: { ttl: 1, proxied: false, ...record } })
    add({ type: 'A', name: `*.plain.${zone.name}`, content: '192.0.2.1' })
    add({ type: 'A', name: `*.proxied.${zone.name}`, content: '192.0.2.1', proxied: true })
    add({ type: 'NS', name: `delegated.${zone.name}`, content: 'ns1.elsewhere.example' })
    await call.operations.start({ id: operation })
    await work()
    await reaches(operation, 'done')
    expect((await call.operations.items({ id: operation })).items[0]).toMatchObject({ state: 'done', code: 'records_held_back' })
    expect(records().filter((record) => record.includes('100::'))).toEqual([`AAAA free.${zone.name} 100:: true`])
    // The preview knows them now.
    const { summary } = await preview({ put: put.map((each) => ({ ...each, status: 302 as const })), createRecords: true })
    expect(summary).toMatchObject({
      missingRecords: { count: 0 },
      dnsOnly: { count: 2, first: [`a.plain.${zone.name}`, `a.delegated.${zone.name}`] },
    })
  })

  test('are not created for a hostname that has got a record since the preview', async () => {
    const { zone, state, preview, call, records, work, reaches } = await createRecordStage()
    const [taken, free] = [`taken.${zone.name}`, `free.${zone.name}`]
    const put = [to(`${taken}/`, 'https://t.example/'), to(`${free}/`, 'https://t.example/')]
    const drafts = [await preview({ put, createRecords: true }), await preview({ put: put.slice(0, 1), createRecords: true })]
    applyEdit(state, {
      kind: 'create-record',
      zone: zone.id,
      record: { type: 'A', name: taken, content: '192.0.2.9', proxied: false, ttl: 1 },
    })
    const [both = '', one = ''] = drafts.map((drafted) => drafted.preview?.operation.id)
    const itemOf = async (id: string) => (await call.operations.items({ id })).items[0]
    await work()
    await call.operations.start({ id: both })
    await reaches(both, 'done')
    expect(await itemOf(both)).toMatchObject({ state: 'done', code: 'records_held_back' })
    expect(records()).toEqual(expect.arrayContaining([`A ${taken} 192.0.2.9 false`, `AAAA ${free} 100:: true`]))
    expect(records().filter((record) => record.includes(taken))).toHaveLength(1)
    await call.operations.start({ id: one })
    await reaches(one, 'done')
    expect(await itemOf(one)).toMatchObject({ state: 'skipped', code: 'records_held_back' })
  })

  test('that Cloudflare refuses do not stop the redirects, and are created by a retry', async () => {
    const { zone, preview, call, records, work, reaches, panel, hosted } = await createRecordStage()
    panel.simulator.faults.add({ method: 'POST', path: '/zones/*/dns_records', times: 1, effect: { kind: 'forbidden' } })
    const drafted = await preview({ put: [to(`old.${zone.name}/`, 'https://t.example/')], createRecords: true })
    const operation = drafted.preview?.operation.id ?? ''
    await call.operations.start({ id: operation })
    await work()
    await reaches(operation, 'done')
    expect((await call.operations.items({ id: operation })).items.map(({ state }) => state)).toEqual(['failed', 'done'])
    expect(hosted()).toHaveLength(1)
    await call.operations.retryFailed({ id: operation })
    await reaches(operation, 'done')
    expect(records()).toContain(`AAAA old.${zone.name} 100:: true`)
  })

  test('that somebody has changed are kept by the undo', async () => {
    const { zone, ids, preview, call, records, work, reaches, beginUndo, hosted } = await createRecordStage()
    const drafted = await preview({ put: [to(`old.${zone.name}/`, 'https://t.example/')], createRecords: true })
    const operation = drafted.preview?.operation.id ?? ''
    await call.operations.start({ id: operation })
    await work()
    await reaches(operation, 'done')
    const [domainId = ''] = ids
    const created = (await call.records.list({ id: domainId })).records.find(({ name }) => name === `old.${zone.name}`)
    await call.records.update({ id: domainId, recordId: created?.id ?? '', content: '2001:db8::1' })
    const undo = await beginUndo(operation)
    await reaches(undo, 'done')
    expect(records()).toContain(`AAAA old.${zone.name} 2001:db8::1 true`)
    expect(hosted()).toEqual([])
    expect((await call.operations.items({ id: undo })).items.map(({ state, code }) => [state, code])).toEqual([
      ['done', null],
      ['skipped', 'changed_since'],
    ])
  })

  test('that other redirects need are kept by the undo', async () => {
    const { zone, preview, call, records, work, reaches, beginUndo, hosted, apply } = await createRecordStage()
    const [edited, shared, own] = ['edited', 'shared', 'own'].map((label) => `${label}.${zone.name}`)
    const begin = async (host: string | undefined) => {
      const operation = (await preview({ put: [to(`${host}/`, 'https://t.example/')], createRecords: true })).preview?.operation.id ?? ''
      await call.operations.start({ id: operation })
      await reaches(operation, 'done')
      return operation
    }
    await work()
    const operations = [await begin(edited), await begin(shared), await begin(own)]
    await apply({ put: [to(`${edited}/`, 'https://t.example/new'), to(`${shared}/page`, 'https://t.example/')] })
    const codes = []
    for (const operation of operations) {
      const undo = await beginUndo(operation)
      await reaches(undo, 'done')
      codes.push((await call.operations.items({ id: undo })).items.map(({ code }) => code))
    }
    expect(codes).toEqual([
      ['redirects_held_back', 'record_in_use'],
      [null, 'record_in_use'],
      [null, null],
    ])
    expect(hosted()).toEqual([`${edited}/ https://t.example/new`, `${shared}/page https://t.example/`])
    expect(records()).toEqual(expect.arrayContaining([`AAAA ${edited} 100:: true`, `AAAA ${shared} 100:: true`]))
    expect(records().filter((record) => record.includes(`${own}`))).toEqual([])
  })

  test('that a redirect needs which was added after the preview of the undo are kept, also if the undo removes others of the hostname', async () => {
    const { zone, preview, call, records, work, reaches, hosted, apply } = await createRecordStage()
    const [used, free] = [`used.${zone.name}`, `free.${zone.name}`]
    await work()
    const put = [used, free].map((host) => to(`${host}/`, 'https://t.example/'))
    const operation = (await preview({ put, createRecords: true })).preview?.operation.id ?? ''
    await call.operations.start({ id: operation })
    await reaches(operation, 'done')
    const undo = (await call.operations.previewUndo({ id: operation })).operation.id
    await apply({ put: [to(`${used}/page`, 'https://t.example/')] })
    await call.operations.start({ id: undo })
    await reaches(undo, 'done')
    expect(hosted()).toEqual([`${used}/page https://t.example/`])
    expect(records().filter((record) => record.includes('100::'))).toEqual([`AAAA ${used} 100:: true`])
    expect((await call.operations.items({ id: undo })).items.map(({ state, code }) => [state, code])).toEqual([
      ['done', null],
      ['done', 'record_in_use'],
    ])
  })

  test('a DNS-only wildcard answers for a hostname, and a record of the hostname goes before a proxied wildcard', async () => {
    const { zone, preview, has } = await createRecordStage()
    await has(0, 'A', `*.plain.${zone.name}`, '192.0.2.1')
    await has(0, 'A', `*.${zone.name}`, '192.0.2.1', true)
    await has(0, 'A', `own.${zone.name}`, '192.0.2.1')
    const put = ['a', 'a.plain', 'own'].map((label) => to(`${label}.${zone.name}/`, 'https://t.example/'))
    const { summary } = await preview({ put, createRecords: true })
    expect(summary).toMatchObject({
      missingRecords: { count: 0 },
      dnsOnly: { count: 2, first: [`a.plain.${zone.name}`, `own.${zone.name}`] },
    })
  })
})

describe('a batch', () => {
  test('waits for the one before it: several thousand redirects are written in calls that Cloudflare never refuses', async () => {
    const { zone, apply, hosted, panel, work } = await createStage()
    await work()
    const csv = Array.from({ length: 3_500 }, (_, at) => `${zone.name}/${at},https://t.example/${at}`).join('\n')
    await apply({ csv })
    expect(hosted()).toHaveLength(3_500)
    expect(panel.simulator.journal.count({ method: 'POST', path: '/accounts/{account}/rules/lists/{list}/items' })).toBe(4)
    expect(panel.simulator.journal.count({ status: 429 })).toBe(0)
  })

  test('holds back what somebody else changed since the preview, and makes the rest', async () => {
    const { id, zone, call, preview, outside, hosted, work, reaches, services } = await createStage()
    const [mine, theirs] = [`${zone.name}/mine`, `${zone.name}/theirs`]
    outside('zonedeck_redirects', [mine, 'https://t.example/1'], [theirs, 'https://t.example/2'])
    const drafted = await preview({ put: [to(mine, 'https://t.example/new')], remove: [theirs] })
    const operation = drafted.preview?.operation.id ?? ''
    outside('zonedeck_redirects', [mine, 'https://t.example/1'], [theirs, 'https://t.example/edited'])
    await call.redirects.refresh({ id })
    await call.operations.start({ id: operation })
    await work()
    await reaches(operation, 'done')
    expect(hosted()).toEqual([`${mine} https://t.example/new`, `${theirs} https://t.example/edited`])
    const [item] = await services.db.sql<{ state: string; code: string }[]>`
      select state, code from operation_items where operation_id = ${operation}`
    expect(item).toMatchObject({ state: 'done', code: 'redirects_held_back' })
  })

  test('is resumed after its worker is killed, and the redirects are the planned ones', async () => {
    const { zone, preview, call, hosted, state, forkWorker, calls, work, reaches } = await createStage()
    state.listOperationMs = 300
    const csv = Array.from({ length: 2_500 }, (_, at) => `${zone.name}/${at},https://t.example/${at}`).join('\n')
    const operation = (await preview({ csv })).preview?.operation.id ?? ''
    await call.operations.start({ id: operation })
    const worker = await forkWorker()
    await calls(1, { method: 'POST', path: '/accounts/{account}/rules/lists/{list}/items' })
    worker.kill('SIGKILL')
    await work()
    await reaches(operation, 'done')
    expect(hosted()).toHaveLength(2_500)
  })

  test('that failed before its rule was made makes it when it is tried again', async () => {
    const { id, zone, apply, call, panel, work, state, at, hosted } = await createStage()
    panel.simulator.faults.add({ method: 'POST', path: '/accounts/*/rulesets', times: 1, effect: { kind: 'server-error', status: 500 } })
    await work()
    await apply({ put: [to(`${zone.name}/a`, 'https://t.example/')] })
    expect(hosted()).toHaveLength(1)
    expect(state.redirectRules.get(at)?.rules).toMatchObject([{ ref: 'zonedeck_redirects' }])
    expect((await call.redirects.list({ id })).list.rule).toBe('enabled')
  })

  test('reads first, so that edits of others since the preview stay, and what they made or deleted themselves is not undone', async () => {
    const { zone, call, preview, outside, hosted, work, reaches, beginUndo } = await createStage()
    const of = (path: string, target: string) => [`${zone.name}/${path}`, `https://t.example/${target}`] as const
    outside('zonedeck_redirects', of('edited', '1'), of('gone', '1'), of('old', '1'), of('removed', '1'))
    const drafted = await preview({
      put: [to(...of('edited', 'new')), to(...of('made', 'new')), to(...of('sent', 'new'))],
      remove: [`${zone.name}/gone`, `${zone.name}/old`, `${zone.name}/removed`],
    })
    const operation = drafted.preview?.operation.id ?? ''
    outside('zonedeck_redirects', of('edited', 'theirs'), of('made', 'new'), of('old', '1'), of('removed', '1'))
    await call.operations.start({ id: operation })
    await work()
    await reaches(operation, 'done')
    const written = (...all: readonly (readonly [string, string])[]) => all.map((each) => each.join(' '))
    expect(hosted()).toEqual(written(of('edited', 'theirs'), of('made', 'new'), of('sent', 'new')))
    await reaches(await beginUndo(operation), 'done')
    expect(hosted()).toEqual(written(of('edited', 'theirs'), of('made', 'new'), of('old', '1'), of('removed', '1')))
  })

  test('that failed after a part of it was sent is undone', async () => {
    const { zone, call, preview, outside, hosted, work, reaches, beginUndo, panel } = await createStage()
    const [old, fresh] = [`${zone.name}/old`, `${zone.name}/fresh`]
    outside('zonedeck_redirects', [old, 'https://t.example/'])
    const operation = (await preview({ put: [to(fresh, 'https://t.example/')], remove: [old] })).preview?.operation.id ?? ''
    panel.simulator.faults.add({
      method: 'POST',
      path: '/accounts/*/rules/lists/*/items',
      times: 1,
      effect: { kind: 'server-error', status: 400 },
    })
    await call.operations.start({ id: operation })
    await work()
    await reaches(operation, 'done')
    expect(hosted()).toEqual([])
    const shown = async () => (await call.operations.items({ id: operation })).operation
    expect(await shown()).toMatchObject({ failed: 1, partlyDone: true })
    await reaches(await beginUndo(operation), 'done')
    expect(hosted()).toEqual([`${old} https://t.example/`])
    expect(await shown()).toMatchObject({ failed: 1, partlyDone: false })
  })

  test('that deletes a redirect which goes while it is sent deletes the rest', async () => {
    const { zone, preview, call, outside, hosted, work, reaches, panel, state } = await createStage()
    const [gone, old, kept] = ['gone', 'old', 'kept'].map((path) => [`${zone.name}/${path}`, 'https://t.example/'] as const)
    if (gone === undefined || old === undefined || kept === undefined) throw new Error('no redirects')
    outside('zonedeck_redirects', gone, old, kept)
    const operation = (await preview({ remove: [gone[0], old[0]] })).preview?.operation.id ?? ''
    const list = [...(state.redirectLists.values().next().value?.values() ?? [])][0]
    panel.simulator.faults.add({
      method: 'DELETE',
      path: '/accounts/*/rules/lists/*/items',
      times: 1,
      effect: { kind: 'server-error', status: 404 },
    })
    await call.operations.start({ id: operation })
    await work()
    await reaches(operation, 'done')
    expect(list?.items.size).toBe(1)
    expect(hosted()).toEqual([kept.join(' ')])
  })

  test('keeps the rules of others, and a rule of ours that somebody switched off', async () => {
    const { zone, apply, state, at, work, panel, outside } = await createStage()
    await work()
    outside('theirs', ['theirs.example', 'https://t.example/'])
    const credential = panel.credential(0)
    const rule = { action: 'redirect', expression: 'http.request.full_uri in $theirs', enabled: true }
    await fetch(`${panel.simulator.url}/accounts/${at}/rulesets`, {
      method: 'POST',
      headers: { 'x-auth-email': credential.email, 'x-auth-key': credential.globalKey, 'content-type': 'application/json' },
      body: JSON.stringify({
        kind: 'root',
        phase: 'http_request_redirect',
        rules: [{ ...rule, action_parameters: { from_list: { name: 'theirs', key: 'http.request.full_uri' } } }],
      }),
    })
    const [theirs] = state.redirectRules.get(at)?.rules ?? []
    await apply({ put: [to(`${zone.name}/1`, 'https://t.example/')] })
    const rules = state.redirectRules.get(at)?.rules ?? []
    expect(rules).toHaveLength(2)
    expect(rules[0]).toEqual(theirs)
    const own = rules[1]
    if (own === undefined) throw new Error('no rule')
    Object.assign(own.fields, { enabled: false })
    await apply({ put: [to(`${zone.name}/2`, 'https://t.example/')] })
    expect(state.redirectRules.get(at)?.rules[1]?.fields['enabled']).toBe(false)
  })
})

test('a list that has a source twice is read', async () => {
  const { id, services } = await createStage()
  const one = { ...to('a.example/', 'https://t.example/'), itemId: '1' }
  const list = { accountId: id, listId: 'x', rule: 'absent', othersCount: 0, readAt: new Date() } as const
  await replaceMirror(services.db.orm, list, [one, { ...one, itemId: '2' }])
  expect(await listBySource(services.db.orm, id, [one.source])).toMatchObject([{ itemId: '2' }])
})

test('the list is paged by source, and searched in sources and targets', async () => {
  const { id, zone, call, outside } = await createStage()
  outside(
    'zonedeck_redirects',
    ...Array.from(
      { length: 7 },
      (_, at) => [`${zone.name}/${at}${'x'.repeat(at % 2 === 0 ? 250 : 0)}`, `https://t.example/${at}`] as const,
    ),
  )
  const sources: string[] = []
  let cursor: string | undefined
  do {
    const page = await call.redirects.list({ id, limit: 3, ...(cursor === undefined ? {} : { cursor }) })
    sources.push(...page.redirects.map(({ source }) => source.slice(0, zone.name.length + 2)))
    cursor = page.nextCursor ?? undefined
  } while (cursor !== undefined)
  expect(sources).toEqual(Array.from({ length: 7 }, (_, at) => `${zone.name}/${at}`))
  expect(await call.redirects.list({ id, search: 'T.EXAMPLE/3' })).toMatchObject({ matches: 1, redirects: [{ source: `${zone.name}/3` }] })
})

test('sources that differ in the letter case of their path are different redirects', async () => {
  const { zone, apply, hosted, stored, outside, work } = await createStage()
  await work()
  outside('zonedeck_redirects', [`${zone.name}/Page`, 'https://t.example/1'])
  await apply({ put: [to(`${zone.name}/page`, 'https://t.example/2')] })
  expect(hosted()).toEqual([`${zone.name}/Page https://t.example/1`, `${zone.name}/page https://t.example/2`])
  expect(await stored()).toEqual(hosted())
})

test('a page ends within a source of characters outside the basic plane', async () => {
  const { id, zone, call, outside } = await createStage()
  const long = (at: number) => `${zone.name}/${'a'.repeat(189 - zone.name.length)}${'💩'.repeat(20)}${at}`
  outside('zonedeck_redirects', ...[0, 1, 2].map((at) => [long(at), 'https://t.example/'] as const))
  const sources: string[] = []
  let cursor: string | undefined
  do {
    const page = await call.redirects.list({ id, limit: 1, ...(cursor === undefined ? {} : { cursor }) })
    sources.push(...page.redirects.map(({ source }) => source))
    cursor = page.nextCursor ?? undefined
  } while (cursor !== undefined)
  expect(sources.toSorted()).toEqual([0, 1, 2].map(long))
})

test('a redirect is found by its address in Unicode, and an operation shows it so', async () => {
  const { id, call, outside, preview } = await createStage()
  outside('zonedeck_redirects', ['xn--e1afmkfd.xn--p1ai/%D0%9F%D1%83%D1%82%D1%8C', 'https://t.example/'])
  for (const search of ['пример.рф', 'Путь']) expect(await call.redirects.list({ id, search })).toMatchObject({ matches: 1 })
  const { preview: drafted } = await preview({ remove: ['пример.рф/Путь'] })
  const { items } = await call.operations.items({ id: drafted?.operation.id ?? '' })
  expect(items.map(({ displayName }) => displayName)).toEqual(['пример.рф/%D0%9F%D1%83%D1%82%D1%8C'])
})

describe('loops and chains through other accounts', () => {
  async function createThree() {
    const world = await createOperationWorld(6, 3)
    const { ann, accountIds, sims, services } = world
    const names = sims.map(({ name }) => name)
    /** A stored redirect in the list of an account. */
    async function stores(at: number, redirect: Redirect, rule = 'enabled') {
      const [accountId = ''] = accountIds.slice(at)
      await services.db.sql`
        insert into redirect_lists ${services.db.sql({ account_id: accountId, rule, others_count: 0, read_at: new Date().toISOString() })}
        on conflict (account_id) do update set rule = excluded.rule`
      await putRedirects(services.db.orm, accountId, [redirect])
    }
    const preview = async (put: readonly Redirect[], call = ann.call) => {
      const { summary } = await call.operations.previewRedirects({ id: accountIds[0] ?? '', put: [...put] })
      const named = ({ first }: typeof summary.loops) => first.map(({ source, next }) => `${source} > ${next}`)
      return { loops: named(summary.loops), chains: named(summary.chains) }
    }
    return { ...world, names, stores, preview }
  }

  test('are found, however many accounts they lead through', async () => {
    const { names, stores, preview } = await createThree()
    const [first = '', , third = '', fourth = '', fifth = ''] = names
    await stores(1, { ...to(`${third}/`, `https://${fifth}/x`), includeSubdomains: true, subpathMatching: true })
    await stores(2, to(`${fifth}/x`, `https://${first}/`))
    await stores(1, to(`${fourth}/`, 'https://t.example/'))
    expect(await preview([to(`${first}/`, `https://www.${third}/page`)])).toEqual({ loops: [`${first}/ > ${third}/`], chains: [] })
    expect(await preview([to(`${first}/a`, `https://${fourth}/`)])).toEqual({ loops: [], chains: [`${first}/a > ${fourth}/`] })
    expect(await preview([to(`${first}/a`, 'https://t.example/')])).toEqual({ loops: [], chains: [] })
  })

  test('are those of redirects that take effect: of a domain of their account, and of a list that is not switched off', async () => {
    const { names, stores, preview } = await createThree()
    const [first = '', , third = '', , fifth = ''] = names
    await stores(1, to(`${fifth}/`, `https://${first}/`))
    await stores(2, to(`${fifth}/`, `https://${first}/`), 'disabled')
    await stores(1, to(`${third}/`, 'https://t.example/'))
    expect(await preview([to(`${first}/`, `https://${fifth}/`)])).toEqual({ loops: [], chains: [] })
    expect(await preview([to(`${first}/`, `https://${third}/`)])).toMatchObject({ chains: [expect.any(String)] })
  })

  test('of accounts that the user does not see are not', async () => {
    const { names, stores, preview, services, accountIds, ann } = await createThree()
    const [first = '', , third = ''] = names
    await stores(1, to(`${third}/`, `https://${first}/`))
    const ben = await signIn(services)
    await ann.call.sharing.create({ accountId: accountIds[0] ?? '', user: ben.user.username, level: 'operate' })
    const put = [to(`${first}/`, `https://${third}/`)]
    expect((await preview(put, ben.call)).loops).toEqual([])
    await ann.call.sharing.create({ accountId: accountIds[1] ?? '', user: ben.user.username, level: 'view' })
    expect((await preview(put, ben.call)).loops).toEqual([`${first}/ > ${third}/`])
  })
})

describe('loops and chains through single redirects', () => {
  async function createRuleStage() {
    const world = await createOperationWorld(4, 2)
    const { ann, accountIds, ids, sims } = world
    const names = sims.map(({ name }) => name)
    const rule = async (at: number, expression: string, to: Readonly<Record<string, unknown>>, enabled = true) => {
      const [id = ''] = ids.slice(at)
      await ann.call.rulesets.list({ id })
      await ann.call.rulesets.createRule({
        id,
        phase: 'http_request_dynamic_redirect',
        rule: {
          description: 'Moves',
          expression,
          enabled,
          action: 'redirect',
          actionParameters: { from_value: { status_code: 301, target_url: to } },
        },
      })
    }
    const preview = async (source: string, target: string) => {
      const { summary, preview: drafted } = await ann.call.operations.previewRedirects({
        id: accountIds[0] ?? '',
        put: [to(source, target)],
      })
      const named = ({ first }: typeof summary.loops) => first.map((each) => `${each.source} > ${each.next}`)
      return {
        loops: named(summary.loops),
        chains: named(summary.chains),
        uncertain: named(summary.uncertain),
        dangers: Object.keys(drafted?.dangers ?? {}).toSorted(),
      }
    }
    return { ...world, names, rule, preview, call: ann.call }
  }

  test('are found, of any account and through several domains, as far as the address decides; other rules are named', async () => {
    const { names, rule, preview } = await createRuleStage()
    const [first = '', second = '', third = '', fourth = ''] = names
    await rule(1, 'true', { expression: `concat("https://${third}", http.request.uri.path)` })
    await rule(2, `http.host eq "${third}" and starts_with(http.request.uri.path, "/back")`, { value: `https://${first}/` })
    await rule(3, 'ip.src.country eq "DE"', { value: `https://${first}/` })
    const found = async (target: string) => {
      const { dangers: _dangers, ...findings } = await preview(`${first}/`, target)
      return findings
    }
    expect(await preview(`${first}/`, `https://www.${second}/back`)).toEqual({
      loops: [`${first}/ > ${second}: Moves`],
      chains: [],
      uncertain: [],
      dangers: expect.arrayContaining(['redirect_loop']) as string[],
    })
    const none = { loops: [], chains: [], uncertain: [] }
    expect(await found(`https://${third}/back/page`)).toEqual({ ...none, loops: [`${first}/ > ${third}: Moves`] })
    expect(await found(`https://${second}/other`)).toEqual({ ...none, chains: [`${first}/ > ${second}: Moves`] })
    expect(await found(`https://${third}/other`)).toEqual(none)
    expect(await found(`https://${fourth}/`)).toEqual({ ...none, uncertain: [`${first}/ > ${fourth}: Moves`] })
  })

  test('decide before the list, and not while they are switched off', async () => {
    const { names, rule, preview, accountIds, services, call } = await createRuleStage()
    const [first = '', second = '', third = ''] = names
    const [id = ''] = accountIds
    await call.redirects.list({ id })
    await putRedirects(services.db.orm, id, [to(`${second}/x`, `https://${first}/`)])
    await rule(2, 'true', { value: `https://${first}/` }, false)
    const ownChain = `${second}/x > ${first}/`
    expect(await preview(`${first}/`, `https://${third}/`)).toMatchObject({ loops: [], chains: [ownChain] })
    expect(await preview(`${first}/`, `https://${second}/x`)).toMatchObject({ loops: [ownChain, `${first}/ > ${second}/x`] })
    await rule(1, 'true', { value: 'https://t.example/' })
    expect(await preview(`${first}/`, `https://${second}/x`)).toMatchObject({
      loops: [],
      chains: [ownChain, `${first}/ > ${second}: Moves`],
    })
  })
})

describe('a URL test', () => {
  async function createTestStage() {
    const stage = await createStage()
    const { id, zone, call, ids, outside, state, at } = stage
    const domainId = ids[0] ?? ''
    const run = (url = `${zone.name}/a`) => call.redirects.test({ id, url })
    const redirectRule = (description: string, expression: string, to: Readonly<Record<string, unknown>>, enabled = true) =>
      call.rulesets.createRule({
        id: domainId,
        phase: 'http_request_dynamic_redirect',
        rule: { description, expression, enabled, action: 'redirect', actionParameters: { from_value: { status_code: 302, ...to } } },
      })
    /** The rule of a list at Cloudflare, last. */
    const enable = (name: string, more: Readonly<Record<string, unknown>> = {}) => {
      const fields = {
        description: `Enables ${name}`,
        enabled: true,
        action: 'redirect',
        expression: `http.request.full_uri in $${name}`,
        action_parameters: { from_list: { name, key: 'http.request.full_uri' } },
        ...more,
      }
      const before = state.redirectRules.get(at) ?? { id: 'rules', version: 1, modifiedOnMs: 0, rules: [] }
      const rule = { id: name, ref: name, version: 1, lastUpdatedMs: 0, fields }
      state.redirectRules.set(at, { ...before, rules: [...before.rules, rule] })
    }
    outside('zonedeck_redirects', [`${zone.name}/a`, `https://${zone.name}/b`], [`${zone.name}/b`, 'https://t.example/end'])
    return { ...stage, domainId, run, redirectRule, enable }
  }

  test('follows redirects to their end, with what decides', async () => {
    const { zone, domainId, call, run, enable } = await createTestStage()
    enable('zonedeck_redirects')
    expect(await run()).toMatchObject({ uncertain: { domain: zone.name, reason: 'rules_not_read' } })
    await call.rulesets.list({ id: domainId })
    const by = (path: string) => ({ by: `${zone.name}/${path}`, kind: 'redirect', list: 'zonedeck_redirects', status: 301 })
    expect(await run()).toEqual({
      hops: [
        { url: `https://${zone.name}/a`, ...by('a') },
        { url: `https://${zone.name}/b`, ...by('b') },
      ],
      end: 'https://t.example/end',
      isLoop: false,
      domain: zone.name,
      inactive: null,
      uncertain: null,
    })
  })

  test('does not follow a list whose rule is missing or switched off, and says so', async () => {
    const { id, zone, call, run, enable } = await createTestStage()
    expect(await run()).toMatchObject({ hops: [], end: `https://${zone.name}/a`, inactive: { source: `${zone.name}/a`, rule: 'absent' } })
    enable('zonedeck_redirects', { enabled: false })
    await call.redirects.refresh({ id })
    expect(await run()).toMatchObject({ hops: [], inactive: { source: `${zone.name}/a`, rule: 'disabled' } })
  })

  test('decides single redirects of a domain, which run first', async () => {
    const { zone, domainId, call, run, redirectRule, enable } = await createTestStage()
    enable('zonedeck_redirects')
    await call.rulesets.list({ id: domainId })
    await redirectRule('Off', 'true', { target_url: { value: 'https://off.example/' } }, false)
    await redirectRule('Germany', 'ip.src.country eq "DE" and http.request.uri.path eq "/de"', {
      target_url: { value: 'https://de.example/' },
    })
    await redirectRule('Shop', `http.host eq "${zone.name}" and starts_with(http.request.uri.path, "/shop/")`, {
      target_url: { expression: 'concat("https://shop.example", http.request.uri.path)' },
      preserve_query_string: true,
    })
    expect(await run(`${zone.name}/shop/1?q=2`)).toMatchObject({
      hops: [{ by: 'Shop', kind: 'rule', list: null, status: 302 }],
      end: 'https://shop.example/shop/1?q=2',
      uncertain: null,
    })
    expect(await run()).toMatchObject({ hops: [{}, {}], end: 'https://t.example/end', uncertain: null })
    expect(await run(`${zone.name}/de`)).toMatchObject({ hops: [], uncertain: { reason: 'rule_not_evaluated', rule: 'Germany' } })
    await redirectRule('All', 'true', { target_url: { value: `https://${zone.name}/loop` } })
    expect(await run()).toMatchObject({ isLoop: true, hops: [{ by: 'All' }, { by: 'All' }] })
  })

  test('asks other lists of the account in the order of their rules', async () => {
    const { id, zone, domainId, call, run, enable, outside } = await createTestStage()
    await call.rulesets.list({ id: domainId })
    outside('theirs', [`${zone.name}/a`, 'https://theirs.example/'], [`${zone.name}/x`, 'https://theirs.example/x'])
    outside('some', [`${zone.name}/b`, 'https://some.example/'])
    enable('some', { description: 'Phones', expression: 'http.request.full_uri in $some and http.user_agent contains "Mobile"' })
    enable('theirs')
    enable('zonedeck_redirects')
    await call.redirects.refresh({ id })
    expect(await run()).toMatchObject({ hops: [{ by: `${zone.name}/a`, list: 'theirs' }], end: 'https://theirs.example/', uncertain: null })
    expect(await run(`${zone.name}/b`)).toMatchObject({
      hops: [{ list: 'zonedeck_redirects' }],
      uncertain: { reason: 'rule_not_evaluated', rule: 'Phones' },
    })
  })

  test('is not certain while other lists cannot be read, where the domain rewrites addresses, and where a page rule forwards', async () => {
    const { id, zone, domainId, call, run, enable, outside, panel, services } = await createTestStage()
    enable('zonedeck_redirects')
    await call.rulesets.list({ id: domainId })
    await call.rulesets.createRule({
      id: domainId,
      phase: 'http_request_transform',
      rule: {
        description: 'Rewrite',
        expression: 'http.request.uri.path eq "/b"',
        action: 'rewrite',
        actionParameters: { uri: { path: { value: '/c' } } },
      },
    })
    expect(await run(`${zone.name}/b`)).toMatchObject({ uncertain: { reason: 'rule_not_evaluated', rule: 'Rewrite' } })
    const pageRule = {
      id: '1',
      targets: [`*${zone.name}/page/*`],
      actions: [{ id: 'forwarding_url', value: {} }],
      priority: 1,
      status: 'active',
    }
    await services.db
      .sql`update zone_rulesets set page_rules = ${JSON.stringify({ rules: [pageRule], problem: null })}::text::jsonb where zone_id = ${domainId}`
    expect(await run(`${zone.name}/page/1`)).toMatchObject({ hops: [], uncertain: { reason: 'page_rule', rule: `*${zone.name}/page/*` } })
    expect(await run(`${zone.name}/other`)).toMatchObject({ hops: [], uncertain: null })
    outside('theirs', ['x.example', 'https://t.example/'])
    await call.redirects.refresh({ id })
    panel.simulator.faults.add({ method: 'GET', path: '/accounts/*/rules/lists', times: 1, effect: { kind: 'server-error', status: 403 } })
    expect(await run(`${zone.name}/other`)).toMatchObject({ uncertain: { reason: 'lists_not_read' } })
  })

  test('stays with a domain that is not in the account', async () => {
    const { id, zone, call, run, outside, enable } = await createTestStage()
    outside('zonedeck_redirects', [`${zone.name}/c`, 'https://stranger.example/'], ['stranger.example/', 'https://t.example/'])
    enable('zonedeck_redirects')
    const strange = { end: 'https://stranger.example/', isLoop: false }
    expect(await run('stranger.example')).toMatchObject({ ...strange, hops: [], domain: null })
    expect(await run(`${zone.name}/c`)).toMatchObject({ ...strange, hops: [{ by: `${zone.name}/c` }] })
    await expect(call.redirects.test({ id, url: 'localhost' })).rejects.toMatchObject(errorCode('validation_failed'))
  })
})

test('redirects of another user’s account are not found', async () => {
  const { id, services, zone } = await createStage()
  const { call } = await signIn(services)
  const notFound = errorCode('not_found')
  await expect(call.redirects.list({ id })).rejects.toMatchObject(notFound)
  await expect(call.redirects.export({ id })).rejects.toMatchObject(notFound)
  await expect(call.redirects.refresh({ id })).rejects.toMatchObject(notFound)
  await expect(call.redirects.test({ id, url: zone.name })).rejects.toMatchObject(notFound)
  await expect(call.operations.previewRedirects({ id, remove: ['x'] })).rejects.toMatchObject(notFound)
})

test('a credential with access to several accounts at Cloudflare is refused with the reason', async () => {
  const { id, call, services } = await createStage()
  await services.db.sql`update accounts set provider_account_ids = '{a,b}' where id = ${id}`
  await expect(call.redirects.list({ id })).rejects.toMatchObject(errorCode('redirect_account_unclear'))
})

test('a large plan is made in a thread, and is the same', async () => {
  const csv = Array.from({ length: 5_000 }, (_, at) => `a.example/${at},https://t.example/${at}`).join('\n')
  const order = { csv, mode: 'replace', put: [], remove: [], current: [to('a.example/7', 'https://t.example/x')] } as const
  const asked: (readonly string[])[] = []
  const findOthers = async (hosts: readonly string[]) => {
    asked.push(hosts)
    return { redirects: [to('t.example/3', 'https://a.example/3')], rules: [] }
  }
  const planned = await planInWorker('me', order, findOthers)
  expect(planned).toEqual(await planRedirects(order, findOthers))
  expect(planned.puts).toHaveLength(5_000)
  expect(planned.findings).toEqual([{ source: 'a.example/3', kind: 'loop', next: 't.example/3' }])
  // Once for each plan.
  expect(asked).toEqual([['t.example'], ['t.example']])
  await expect(planInWorker('me', order, () => Promise.reject(new AppError('not_found')))).rejects.toMatchObject({ code: 'not_found' })
})

test('a few long redirects are planned in a thread too, and a plan that takes too long ends with its reason', async () => {
  const long = 'x'.repeat(1_000)
  const put = Array.from({ length: 100 }, (_, at) => to(`a.example/${at}`, `https://t.example/${long}`))
  const order = { csv: undefined, mode: 'merge', put, remove: [], current: [] } as const
  await expect(planInWorker('me', order, async () => noOthers, 1)).rejects.toMatchObject({ code: 'redirects_too_complex' })
})

test('a source that is to be saved and removed in one change is refused', async () => {
  const { zone, preview } = await createStage()
  const source = `${zone.name}/a`
  await expect(preview({ put: [to(source, 'https://t.example/')], remove: [source] })).rejects.toMatchObject(
    errorCode('redirect_put_and_removed'),
  )
})
