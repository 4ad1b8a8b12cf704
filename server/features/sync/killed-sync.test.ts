import { fork } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { afterEach, expect, test, vi } from 'vitest'
import { createSecrets } from '#server/platform/secrets.ts'
import { between, randomFrom } from '#server/simulators/random.ts'
import { callAs, signIn } from '#server/testing/app.ts'
import { createTestPanel } from '#server/testing/panel.ts'
import type { TestPanel } from '#server/testing/panel.ts'
import { settingKeys } from '#shared/features/domains/settings/catalog.ts'

/** Universal SSL and development mode are read elsewhere. */
const settingsPerZone = settingKeys.length - 2

const script = fileURLToPath(new URL('../../testing/worker.ts', import.meta.url))
const accounts = 3
const zones = 240
const records = 4
const kills = 12

let panel: TestPanel | null = null
let worker: ChildProcess | null = null
afterEach(async () => {
  worker?.kill('SIGKILL')
  await panel?.close()
})

test('a worker killed at any moment of a first sync leaves nothing half-written, and after restarts every zone is there exactly once', async () => {
  const key = randomBytes(32)
  panel = await createTestPanel({ world: { zones, accounts, recordsPerZone: records }, latencyMs: 2 })
  const { simulator, databaseUrl } = panel
  const services = { ...panel.services, secrets: createSecrets(key) }
  const { sql } = services.db
  const { actor } = await signIn(services)
  for (let index = 0; index < accounts; index++) {
    const { email, globalKey } = panel.credential(index)
    await callAs(services, actor).accounts.add({ email, apiKey: globalKey })
  }
  simulator.journal.reset()

  const start = async () => {
    worker = fork(script, [databaseUrl, simulator.url, key.toString('base64')], { stdio: 'inherit' })
    return worker
  }
  const random = randomFrom(20261121)
  // The listing is short, so the first kills are close to each other.
  const moments = Array.from({ length: kills }, (_, n) => (n < 5 ? between(random, 1, 4) : between(random, 1, 100)))
  for (const calls of moments) {
    const killed = await start()
    const from = simulator.journal.count()
    await vi.waitFor(() => expect(simulator.journal.count()).toBeGreaterThanOrEqual(from + calls), { timeout: 30_000, interval: 1 })
    killed.kill('SIGKILL')
    await once(killed, 'exit')

    const [half] = await sql`
      select count(*)::int as n from zones z where coalesce(records_count, 0) <> (select count(*) from dns_records r where r.zone_id = z.id)
        or (settings_read_at is null) = exists (select from zone_settings s where s.zone_id = z.id)`
    expect(half).toEqual({ n: 0 })
    const [state] = await sql`select count(*)::int as n from accounts where synced_at is null and next_sync_at > now()`
    expect(state).toEqual({ n: 0 })
  }

  await start()
  await vi.waitFor(
    async () => {
      const [open] = await sql`
        select count(*)::int as n from accounts where syncing or synced_at is null or next_sync_at <= now() or details_due_at is not null`
      expect(open).toEqual({ n: 0 })
    },
    { timeout: 60_000, interval: 50 },
  )
  const rows = await sql`
    select zone_id as provider_zone_id, name, records_count, (select count(*)::int from dns_records r where r.zone_id = z.id) as records,
      (select count(*)::int from zone_settings s, jsonb_object_keys(s.values) where s.zone_id = z.id) as settings
    from zones z order by zone_id`
  const expected = [...simulator.state.zonesById.values()]
    .map((zone) => ({ providerZoneId: zone.id, name: zone.name, recordsCount: records, records, settings: settingsPerZone }))
    .toSorted((a, b) => (a.providerZoneId < b.providerZoneId ? -1 : 1))
  expect(rows.map((row) => ({ ...row }))).toEqual(expected)
  // Zones read before a kill are not read again, except those in progress.
  expect(simulator.journal.count({ path: '/zones/{zone}/dns_records' })).toBeLessThan(zones + kills * 100)
}, 180_000)
