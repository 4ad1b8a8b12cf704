import { expect, test } from 'vitest'
import { createOperationWorld } from '#server/testing/operation-world.ts'
import type { OperationWorld } from '#server/testing/operation-world.ts'
import { behindFence, ClaimLost } from '#server/platform/write-fence.ts'

const phase = 'http_request_firewall_custom' as const

/** Writes of a worker that is suspended after the last answer, and whose work is done and undone by another in the meantime. */
const lostAfterAnswer = {
  lost: new AbortController().signal,
  confirm: () => Promise.resolve(),
  check: () => undefined,
  confirmStore: () => Promise.reject(new ClaimLost()),
}

type Call = (world: OperationWorld, id: string) => Promise<unknown>

const mirrorOf = ({ services: { db } }: OperationWorld, id: string) => db.sql`
  select z.*, s."values", (select jsonb_agg(r order by r.record_id) from dns_records r where r.zone_id = z.id) as records,
    (select to_jsonb(r) from zone_rulesets r where r.zone_id = z.id) as rules, (select to_jsonb(r) from zone_ip_rules r where r.zone_id = z.id) as ip_rules,
    (select count(*)::int from zone_changes c where c.zone_id = z.id) as changes
  from zones z left join zone_settings s on s.zone_id = z.id where z.id = ${id}`

test.each<[string, Call]>([
  ['a setting', ({ ann }, id) => ann.call.zoneSettings.update({ id, minTlsVersion: '1.3' })],
  ['a record', ({ ann }, id) => ann.call.records.create({ id, type: 'A', name: 'lost', content: '192.0.2.7', ttl: 1, proxied: false })],
  [
    'a rule',
    ({ ann }, id) =>
      ann.call.rulesets.createRule({ id, phase, rule: { action: 'block', expression: '(ip.src eq 192.0.2.1)', description: 'Lost' } }),
  ],
  ['an IP access rule', ({ ann }, id) => ann.call.ipAccess.add({ id, values: ['192.0.2.9'], mode: 'block' })],
  ['a pause', ({ ann }, id) => ann.call.zoneSettings.pause({ id, paused: true })],
  [
    'a group',
    async ({ ann }, id) => ann.call.zoneSettings.setGroup({ id, groupId: (await ann.call.groups.create({ name: 'Lost' })).group.id }),
  ],
])('the result of %s is not stored for work that another worker took over', async (_, call) => {
  const world = await createOperationWorld(1, 1)
  const [id = ''] = world.ids
  await world.ann.call.zoneSettings.refresh({ id })
  await world.ann.call.rulesets.list({ id })
  await world.ann.call.ipAccess.list({ id })
  const before = await mirrorOf(world, id)
  await expect(behindFence(lostAfterAnswer, () => call(world, id))).rejects.toMatchObject({
    cause: expect.any(ClaimLost) as unknown,
  })
  expect(await mirrorOf(world, id)).toEqual(before)
})
