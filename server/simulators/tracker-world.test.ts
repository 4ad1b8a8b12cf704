import { expect, onTestFinished, test } from 'vitest'
import { startCloudflareSimulator } from './cloudflare/simulator.ts'
import { startTrackerWorld } from './tracker-world.ts'
import { buildWorld } from './world.ts'

async function describeWorld() {
  const world = buildWorld({ zones: 2_000, accounts: 12, seed: 1 })
  const cloudflare = await startCloudflareSimulator({ world })
  const trackers = await startTrackerWorld({ world, state: cloudflare.state })
  onTestFinished(async () => {
    await trackers.close()
    await cloudflare.close()
  })
  return { trackers, names: new Set(world.content().zones.map(({ name }) => name)) }
}

test('the demo trackers list most domains that point to them, with one example of every mismatch', async () => {
  const { trackers, names } = await describeWorld()
  for (const { state } of [trackers.keitaro, trackers.binom]) {
    const domains = [...state.domains.values()]
    expect(domains.length).toBeGreaterThan(40)
    expect(domains.filter(({ archived }) => archived)).toHaveLength(4)
    expect(domains.filter(({ name, archived }) => !archived && !names.has(name))).toHaveLength(6)
    expect(domains.some(({ error }) => error !== null)).toBe(true)
    expect(domains.some(({ ssl }) => ssl === 'error')).toBe(true)
    expect(domains.some(({ campaignId }) => campaignId !== null)).toBe(true)
    expect(new Set(domains.map(({ name }) => name)).size).toBe(domains.length)
  }
  expect(trackers.addresses.keitaro).toHaveLength(8)
})

test('the demo trackers are the same for the same seed', async () => {
  const story = ({ trackers: { keitaro, binom, addresses } }: Awaited<ReturnType<typeof describeWorld>>) => [
    [...keitaro.state.domains.values()],
    [...binom.state.domains.values()],
    addresses,
  ]
  expect(story(await describeWorld())).toEqual(story(await describeWorld()))
})
