import { expect, test } from 'vitest'
import { listAnswers } from '#server/features/redirects/index.ts'
import { writableRecords } from '#server/simulators/cloudflare/records.ts'
import { createOperationWorld } from '#server/testing/operation-world.ts'
import type { OperationWorld } from '#server/testing/operation-world.ts'

const perZone = 40

function theOnly({ ids: [id], sims: [sim], panel }: OperationWorld) {
  if (id === undefined || sim === undefined) throw new Error('there is no zone')
  return { id, records: writableRecords(panel.simulator.state, sim), name: sim.name }
}
async function counts({ ann, ids: [id = ''] }: OperationWorld) {
  const { records, missing } = await ann.call.records.list({ id })
  return [records.length, missing?.missing ?? 0]
}
const outcomes = ({ services }: OperationWorld, id: string) =>
  services.db.sql`select state, code from operation_items where operation_id = ${id}`

test.each(['before', 'after'] as const)(
  'a deletion of many records whose process died, with a reading %s the retry, is done, none is missing, and the undo restores all',
  async (read) => {
    const world = await createOperationWorld(1, 1, { recordsPerZone: perZone })
    const { sql } = world.services.db
    const { id, records } = theOnly(world)
    await world.ann.call.records.refresh({ id })
    const contents = () => [...records.values()].map(({ type, name, content }) => `${type} ${name} ${content}`).toSorted()
    const before = contents()
    const kept = [...records.values()].filter(({ type }) => type !== 'A').length
    expect(kept).toBeLessThan(perZone - 10)
    const operation = await world.begin({ kind: 'dns_delete', input: { type: 'A', match: 'whole' } })
    await sql.unsafe(`
      create function die() returns trigger language plpgsql as $$ begin raise exception 'died' using errcode = '53200'; end $$;
      create trigger die before insert on zone_changes for each row when (new.source <> 'outside') execute function die()`)
    const died = await world.work()
    await world.calls(1, { method: 'POST' })
    if (read === 'before') {
      await died.stop()
      await world.ann.call.records.refresh({ id })
    } else {
      const attempts = async () =>
        (await sql<{ attempts: number }[]>`select attempts from operation_items where operation_id = ${operation}`)[0]?.attempts
      await expect.poll(attempts).toBeGreaterThan(1)
      await died.stop()
    }
    await sql.unsafe('drop function die() cascade')
    const runner = await world.work()
    await world.reaches(operation, 'done')
    expect(await outcomes(world, operation)).toEqual([{ state: 'done', code: null }])
    expect(await counts(world)).toEqual([kept, 0])
    await world.ann.call.records.refresh({ id })
    expect(await counts(world)).toEqual([kept, 0])
    const undo = await world.beginUndo(operation)
    await world.reaches(undo, 'done')
    expect(await outcomes(world, undo)).toEqual([{ state: 'done', code: null }])
    await runner.stop()
    await world.ann.call.records.refresh({ id })
    expect(await counts(world)).toEqual([perZone, 0])
    expect(contents()).toEqual(before)
  },
)

test('the undo of a deletion adds the domain with the records that Cloudflare no longer listed, too', async () => {
  const world = await createOperationWorld(1, 1, { recordsPerZone: perZone })
  const { id, records, name } = theOnly(world)
  const { call } = world.ann
  const contents = (all: readonly { type: string; name: string; content: string }[]) =>
    all.map((record) => `${record.type} ${record.name} ${record.content}`).toSorted()
  const before = contents((await call.records.refresh({ id })).records)
  for (const lost of [...records.keys()].slice(0, 30)) records.delete(lost)
  await call.records.refresh({ id })
  expect(await counts(world)).toEqual([10, 30])
  const runner = await world.work()
  const operation = await world.begin({ kind: 'delete', input: {} })
  await world.reaches(operation, 'done')
  const undo = await world.beginUndo(operation)
  await world.reaches(undo, 'done')
  await runner.stop()
  const [found] = (await call.domains.lookup({ names: [name] })).results
  expect(contents((await call.records.refresh({ id: found?.domain?.id ?? '' })).records)).toEqual(before)
})

test.each(['before', 'after'] as const)(
  'created records that are missing %s the preview of the undo are not taken for deleted, and are deleted by an undo once they are listed again',
  async (when) => {
    const world = await createOperationWorld(1, 1, { recordsPerZone: perZone })
    const { id } = theOnly(world)
    // A change at the simulator replaces them.
    const records = () => theOnly(world).records
    await world.ann.call.records.refresh({ id })
    const before = new Set(records().keys())
    const runner = await world.work()
    const added = Array.from({ length: 6 }, (_, at) => ({
      type: 'A' as const,
      name: `new${at}`,
      content: '192.0.2.7',
      ttl: 1,
      proxied: false,
    }))
    const operation = await world.begin({ kind: 'dns_add', input: { records: added, mode: 'replace', values: [] } })
    await world.reaches(operation, 'done')
    expect(await outcomes(world, operation)).toEqual([{ state: 'done', code: null }])
    const made = [...records().values()].filter((record) => !before.has(record.id))
    expect(made).toHaveLength(6)
    const lose = async () => {
      for (const record of made) records().delete(record.id)
      await world.ann.call.records.refresh({ id })
      expect(await counts(world)).toEqual([perZone, 6])
    }
    if (when === 'before') await lose()
    const { operation: undo } = await world.ann.call.operations.previewUndo({ id: operation })
    if (when === 'after') {
      await lose()
      await world.ann.call.operations.start({ id: undo.id })
      await world.reaches(undo.id, 'done')
    }
    expect(await outcomes(world, undo.id)).toEqual([{ state: 'skipped', code: 'records_missing' }])
    for (const record of made) records().set(record.id, record)
    await world.ann.call.records.refresh({ id })
    await world.reaches(await world.beginUndo(operation), 'done')
    await runner.stop()
    expect(new Set(records().keys())).toEqual(before)
  },
)

test('no preview of records, a profile or redirects creates a record at the name of a missing one, which could exist', async () => {
  const world = await createOperationWorld(1, 1, { recordsPerZone: perZone })
  const { id, records, name } = theOnly(world)
  const { call } = world.ann
  await call.records.refresh({ id })
  const lost = [...records.values()]
  records.clear()
  await call.records.refresh({ id })
  expect(await counts(world)).toEqual([0, perZone])
  const preview = async (host: string) => {
    const request = {
      kind: 'dns_add' as const,
      input: { records: [{ type: 'A' as const, name: host, content: '192.0.2.7' }], mode: 'replace' as const, values: [] },
    }
    const { operation } = await call.operations.preview({ request, target: { ids: [id] } })
    return outcomes(world, operation.id)
  }
  expect(await preview('@')).toEqual([{ state: 'skipped', code: 'records_missing' }])
  expect(await preview('other')).toEqual([{ state: 'pending', code: null }])
  const { profile } = await call.profiles.create({ name: 'Web', settings: {}, records: [{ type: 'A', name: 'www', content: '192.0.2.7' }] })
  const { operation } = await call.operations.preview({
    request: { kind: 'profile', input: { profileId: profile.id } },
    target: { ids: [id] },
  })
  expect(await outcomes(world, operation.id)).toEqual([{ state: 'skipped', code: 'records_missing' }])
  const [accountId = ''] = world.accountIds
  const hosts = [`www.${name}`, `other.${name}`].map((host) => ({ host, domain: name }))
  expect([...(await listAnswers(world.services, accountId, hosts)).keys()]).toEqual([`www.${name}`])
  expect(lost.some((record) => record.name === `www.${name}`)).toBe(true)
  await call.records.decideMissing({ id, decision: 'gone' })
  expect(await preview('@')).toEqual([{ state: 'pending', code: null }])
})
