import type { AdTrackers } from '#server/ports/ad-tracker.ts'
import { syncDueTrackers } from '#server/features/trackers/index.ts'
import { signIn } from '#server/testing/app.ts'
import { seedZones } from '#server/testing/seed-zones.ts'
import { createTestServices } from '#server/testing/services.ts'
import { startTestTrackers } from '#server/testing/test-trackers.ts'
import { percentile } from './bench.ts'
import type { Bench } from './bench.ts'
import { startDatabase } from './panel.ts'

const zones = 100_000
const listed = 5_000
const limitMs = 2_000

/** Records when the list of domains has arrived. */
function noteAnswers(trackers: AdTrackers): AdTrackers & { answeredAt(): number } {
  let at = Number.NaN
  return {
    ...trackers,
    connect(access) {
      const connection = trackers.connect(access)
      const listDomains: typeof connection.listDomains = async (call) => {
        const domains = await connection.listDomains(call)
        at = performance.now()
        return domains
      }
      return { ...connection, listDomains }
    },
    answeredAt: () => at,
  }
}

export const trackers: Bench = {
  about:
    '5,000 tracker domains with 100,000 domains of the panel, bound, unbound, subdomains and unknown ones: from the response to the first page with its counts',
  async run(report) {
    const database = await startDatabase()
    const world = await startTestTrackers(database)
    const noted = noteAnswers(world.trackers)
    const { services, close } = await createTestServices({ database, trackers: noted })
    try {
      const { call, user } = await signIn(services)
      const { sql } = services.db
      await seedZones(services.db, { ownerId: user.id, count: zones })
      const names = await sql<{ name: string }[]>`select name from zones where name not like 'xn--%' order by md5(name) limit 4500`
      names.forEach(({ name }, at) => {
        const error = at % 100 === 0 ? { description: 'Timeout was reached', solution: 'Look at its address' } : null
        world.keitaro.state.add({ name: at < 4_000 ? name : `go.${name}`, error, ssl: at % 70 === 0 ? 'error' : 'issued' })
      })
      for (let at = names.length; at < listed; at += 1) world.keitaro.state.add({ name: `stranger-${at}.example` })
      const { keitaro } = world
      const { tracker } = await call.trackers.create({ kind: 'KEITARO', name: 'Main', url: keitaro.url, apiKey: keitaro.apiKey })
      const { id } = tracker
      const read = async () => {
        await sql`update trackers set next_sync_at = now()`
        await syncDueTrackers(services, new AbortController().signal)
        const page = await call.trackers.reconcile({ limit: 100 })
        return { page, ms: performance.now() - noted.answeredAt() }
      }
      await read()
      await sql`
        insert into tracker_bindings (zone_id, tracker_id, remote_id)
        select z.id, d.tracker_id, d.remote_id from tracker_domains d join zones z on z.name = d.name order by d.id limit 3500`

      keitaro.journal.reset()
      await sql`truncate tracker_domains`
      const first = await read()
      const { counts } = first.page
      if ((await call.trackers.get({ id })).tracker.domainsCount !== listed || counts.not_bound !== zones - 4_500) {
        throw new Error(`reconciled wrongly: ${JSON.stringify(counts)}`)
      }
      const against = { kind: 'at most', value: limitMs, what: 'required limit' } as const
      report({ name: 'a list read for the first time', value: first.ms, unit: 'ms', against })
      report({
        name: 'calls for a list of 5,000',
        value: keitaro.journal.count(),
        unit: 'calls',
        against: { kind: 'at most', value: 2, what: 'the list and its archive' },
      })
      const again: number[] = []
      for (let round = 0; round < 7; round += 1) again.push((await read()).ms)
      report({ name: 'the list read again: median', value: percentile(again, 0.5), unit: 'ms', against })

      const timeOf = async (input: Parameters<typeof call.trackers.reconcile>[0]) => {
        const times: number[] = []
        for (let round = 0; round < 15; round += 1) {
          const began = performance.now()
          await call.trackers.reconcile(input)
          times.push(performance.now() - began)
        }
        return percentile(times, 0.5)
      }
      const page = { kind: 'at most', value: 500, what: 'an interactive page' } as const
      report({ name: 'first page and counts: median', value: await timeOf({}), unit: 'ms', against: page })
      report({ name: 'domains without a tracker: median', value: await timeOf({ state: 'not_bound' }), unit: 'ms', against: page })
      report({ name: 'addresses that differ: median', value: await timeOf({ state: 'address_differs' }), unit: 'ms', against: page })
    } finally {
      await close()
    }
  },
}
