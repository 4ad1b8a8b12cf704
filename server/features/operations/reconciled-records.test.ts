import { expect, test } from 'vitest'
import { applyEdit } from '#server/simulators/cloudflare/control.ts'
import { recordsOf } from '#server/simulators/cloudflare/records.ts'
import type { SimZone } from '#server/simulators/cloudflare/model.ts'
import { createOperationWorld } from '#server/testing/operation-world.ts'
import type { OperationWorld } from '#server/testing/operation-world.ts'
import type { OperationRequest } from '#shared/features/operations/registry.ts'
import type { RecordType } from '#shared/features/domains/records/schema.ts'
import { recordExamples } from '#shared/features/domains/records/record-types.ts'
import { recordType } from '#shared/features/domains/records/schema.ts'

interface Case {
  readonly type: RecordType
  /** The content as a user writes it, and its new value. */
  readonly content: string
  readonly next: string
  readonly priority?: number
}

const long = 'a'.repeat(300)
/** The new content by type. */
const changed: Readonly<Partial<Record<RecordType, string>>> = {
  A: '192.0.2.77',
  AAAA: '2001:db8::77',
  CAA: '0 issue "pki.example"',
  CERT: '1 12345 8 MIICajCCAdOgAwIC',
  CNAME: 'Other.Example.org.',
  DNSKEY: '256 3 13 mdsswUyr3DPW132mOi8V9xESWE8jTo0e',
  DS: '2371 13 2 2f987cc6583e92df0890718c42a51e3e9d5e6a4d7d0b5a3a6c1c0e2f7b9d8a44',
  HTTPS: '2 . alpn=h2',
  LOC: '52 30 12.748 N 0 7 39.612 W 0m',
  MX: 'mail2.example.com',
  NAPTR: '100 20 "u" "E2U+sip" "!^.*$!sip:info@example.com!" .',
  NS: 'ns2.example.net',
  OPENPGPKEY: 'mQINBFbT0mQBEADqP1Wx',
  PTR: 'other.example.com',
  SMIMEA: '3 1 1 a2003ba34942dc74152e2f2c408d29eca5a520e7f2e06bb944f4dca346baf63c',
  SRV: '5 5061 sip.example.com',
  SSHFP: '4 2 a23456789abcdef67890123456789abcdef67890123456789abcdef123456789',
  SVCB: '1 dns.example.com alpn="dot" port=8853',
  TLSA: '3 1 1 a2003ba34942dc74152e2f2c408d29eca5a520e7f2e06bb944f4dca346baf63c',
  TXT: 'v=spf1 -all',
  URI: '1 "https://www.example.com/other"',
}
/** All under one name, required by the types that name a service or port. */
const name = '_443._tcp'
const cases: readonly Case[] = [
  ...recordType.options.map((type): Case => {
    const priority = ['MX', 'SRV', 'URI'].includes(type) ? { priority: 10 } : {}
    return { type, content: recordExamples[type].content, next: changed[type] ?? '', ...priority }
  }),
  { type: 'TXT', content: '"quoted=one; two"', next: '"quoted=one; three"' },
  { type: 'TXT', content: `"split=${long.slice(0, 200)}" "${long.slice(200)}"`, next: `"split=${long.slice(0, 200)}" "b"` },
  { type: 'TXT', content: `long=${long}`, next: `long=${long}b` },
  { type: 'TXT', content: String.raw`escaped="hi" \ there`, next: String.raw`escaped="ho" \ there` },
  // The priority comes first, as in zone files.
  { type: 'MX', content: '20 Mail3.Example.com.', next: '30 mail3.example.com' },
  { type: 'SRV', content: '20 5 5222 Chat.Example.com.', next: '30 5 5222 chat.example.com' },
  { type: 'URI', content: '20 1 "https://www.example.com/pasted"', next: '30 1 "https://www.example.com/pasted"' },
]
/** A CNAME excludes other records, so CNAMEs have a zone of their own. */
const parts = [cases.filter(({ type }) => type !== 'CNAME'), cases.filter(({ type }) => type === 'CNAME')]

type Step = 'add' | 'edit' | 'replace' | 'delete'
const input = ({ type, priority }: Case, content: string) => ({
  type,
  name,
  content,
  ttl: 1,
  proxied: false,
  ...(priority === undefined ? {} : { priority }),
})
const requests: Readonly<Record<Step, (of: readonly Case[]) => OperationRequest>> = {
  add: (of) => ({ kind: 'dns_add', input: { records: of.map((each) => input(each, each.content)), mode: 'add', values: [] } }),
  edit: () => ({ kind: 'dns_edit', input: { name, match: 'whole', set: { comment: 'ours' }, values: [] } }),
  replace: (of) => ({ kind: 'dns_add', input: { records: of.map((each) => input(each, each.next)), mode: 'replace', values: [] } }),
  delete: () => ({ kind: 'dns_delete', input: { name, match: 'whole' } }),
}

/** The provider's records of a zone without the fields that differ when a record is created again. */
const contentsOf = (world: OperationWorld, zone: SimZone): string[] =>
  recordsOf(world.panel.simulator.state, zone)
    .map(({ type, name, content, ttl, proxied, priority, comment }) =>
      JSON.stringify([type, name, content, ttl, proxied, priority, comment]),
    )
    .toSorted()

/** Every change reaches the provider, but storing the result fails as if the process had died in between. */
async function dieAfterTheYes(world: OperationWorld): Promise<void> {
  await world.services.db.sql.unsafe(`
    create function die() returns trigger language plpgsql as $$ begin raise exception 'died' using errcode = '53200'; end $$;
    create trigger die before insert on zone_changes for each row when (new.source <> 'outside') execute function die()`)
}

async function runAll(world: OperationWorld, ids: readonly string[]): Promise<void> {
  const runner = await world.work()
  for (const id of ids) await world.reaches(id, 'done')
  await runner.stop()
}

async function unfinished(world: OperationWorld, ids: readonly string[]) {
  return world.services.db.sql`
    select i.state, i.code, i.message, o.input::text as input from operation_items i join operations o on o.id = i.operation_id
    where o.id = any(${[...ids]}::uuid[]) and not (i.state in ('done', 'undone') and i.code is null)`
}

test.each(['before', 'after'] as const)(
  'records of every type: a change whose process died %s the provider’s answer is made once and undone completely, even if the undo dies too',
  async (died) => {
    const world = await createOperationWorld(parts.length, 1)
    const { sql } = world.services.db
    const state = () => world.sims.map((zone) => contentsOf(world, zone))
    const crash = async () => {
      if (died === 'after') await dieAfterTheYes(world)
      else await sql`update operation_items set attempts = 1, started_at = now() where state = 'pending'`
    }
    const heal = () => sql.unsafe('drop function if exists die() cascade')
    for (const step of ['add', 'edit', 'replace', 'delete'] as const) {
      if (step === 'edit') {
        for (const [at, id] of world.ids.entries()) {
          await world.ann.call.records.change({ id, creates: (parts[at] ?? []).map((each) => input(each, each.content)) })
        }
      }
      for (const id of world.ids) await world.ann.call.records.refresh({ id })
      const before = state()
      const ids: string[] = []
      for (const [at, of] of parts.entries()) ids.push(await world.begin(requests[step](of), world.ids.slice(at, at + 1)))
      await crash()
      await runAll(world, ids)
      await heal()
      expect([step, await unfinished(world, ids)]).toEqual([step, []])
      const entries = await sql`
        select count(distinct key)::int as records from zone_changes where source = 'operation' and batch_id = any(${ids}::uuid[])`
      expect([step, entries]).toEqual([step, [{ records: cases.length }]])
      const done = state()
      expect(done.flat().filter((record) => before.flat().includes(record))).toHaveLength(
        before.flat().length - (step === 'add' ? 0 : cases.length),
      )

      const undone: string[] = []
      for (const id of ids) undone.push(await world.beginUndo(id))
      await crash()
      await runAll(world, undone)
      await heal()
      expect([step, 'undo', await unfinished(world, undone)]).toEqual([step, 'undo', []])
      expect([step, 'undo', state()]).toEqual([step, 'undo', before])
    }
  },
  120_000,
)

test('records that the provider stores in another notation are recognized after a crash, not added again, and undone', async () => {
  const world = await createOperationWorld(1, 1)
  const [zone] = world.sims
  if (zone === undefined) throw new Error('there is no zone')
  const { state } = world.panel.simulator
  const texts = ['"quoted=one; two"', '"split=" "in two"', 'bare=three']
  const records = texts.map((content) => ({ type: 'TXT' as const, name, content, ttl: 1, proxied: false }))
  await world.ann.call.records.refresh({ id: world.ids[0] ?? '' })
  const before = contentsOf(world, zone)
  const id = await world.begin({ kind: 'dns_add', input: { records, mode: 'add', values: [] } })
  for (const content of ['quoted=one; two', 'split=in two', '"bare=" "three"']) {
    applyEdit(state, { kind: 'create-record', zone: zone.id, record: { type: 'TXT', name, content, ttl: 1 } })
  }
  await world.services.db.sql`update operation_items set attempts = 1, started_at = now()`
  await runAll(world, [id])
  expect(recordsOf(state, zone)).toHaveLength(before.length + texts.length)
  await runAll(world, [await world.beginUndo(id)])
  expect(contentsOf(world, zone)).toEqual(before)
})

test('a setting that was never read is read before the change, so a crash before the result is stored does not prevent the undo', async () => {
  const world = await createOperationWorld(6, 1, { read: false })
  const { state } = world.panel.simulator
  const values = () =>
    world.sims.map((zone) => [
      state.changesOf(zone).settings.get('min_tls_version')?.value,
      state.changesOf(zone).settings.get('ssl')?.value,
    ])
  for (const { id: zone } of world.sims) {
    applyEdit(state, { kind: 'setting', zone, setting: 'min_tls_version', value: '1.0' })
    applyEdit(state, { kind: 'setting', zone, setting: 'ssl', value: 'off' })
  }
  const before = values()
  const id = await world.begin({ kind: 'settings', input: { settings: { minTlsVersion: '1.3', ssl: 'strict', universalSsl: false } } })
  await dieAfterTheYes(world)
  const runner = await world.work()
  await world.calls(4 * world.ids.length, { method: 'PATCH' })
  await world.services.db.sql.unsafe('drop function die() cascade')
  await world.reaches(id, 'done')
  await runner.stop()
  expect(await unfinished(world, [id])).toEqual([])
  expect(values()).toEqual(before.map(() => ['1.3', 'strict']))
  const undo = await world.beginUndo(id)
  await runAll(world, [undo])
  expect(await unfinished(world, [undo])).toEqual([])
  expect(values()).toEqual(before)
  const [ssl] = await world.services.db.sql`select count(*)::int as n from zone_ssl where universal_enabled`
  expect(ssl).toEqual({ n: world.ids.length })
})
