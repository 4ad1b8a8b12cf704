import { describe, expect, test } from 'vitest'

import { buildWorld } from './world.ts'

describe('a seeded world', () => {
  test('is the same for the same seed and differs for another', () => {
    const build = (seed: number) => buildWorld({ zones: 500, accounts: 8, seed })
    expect(build(1).content()).toEqual(build(1).content())
    expect(build(1).credentials).toEqual(build(1).credentials)
    expect(build(2).content().zones[0]?.id).not.toBe(build(1).content().zones[0]?.id)
  })

  test('generates its zones independently each time, so changing one copy leaves the next unchanged', () => {
    const world = buildWorld({ zones: 10, accounts: 1, seed: 1 })
    const [zone] = world.content().zones
    if (zone === undefined) throw new Error('no zone')
    zone.paused = !zone.paused
    expect(world.content().zones[0]?.paused).toBe(!zone.paused)
  })

  test('has 100,000 zones with their own names, ids and seeds, in a realistic mix', () => {
    const { zones } = buildWorld({ zones: 100_000, accounts: 40, seed: 1 }).content()
    expect(new Set(zones.map((zone) => zone.name)).size).toBe(100_000)
    expect(new Set(zones.map((zone) => zone.id)).size).toBe(100_000)
    const share = (test: (zone: (typeof zones)[number]) => boolean) => zones.filter(test).length / zones.length
    expect(share((zone) => zone.status === 'active')).toBeCloseTo(0.88, 1)
    expect(share((zone) => zone.status === 'pending')).toBeCloseTo(0.09, 1)
    expect(share((zone) => zone.name.startsWith('xn--'))).toBeGreaterThan(0.005)
    expect(share((zone) => zone.name.endsWith('.ru'))).toBeGreaterThan(0.05)
    expect(zones.some((zone) => zone.name.length > 60)).toBe(true)
    expect(zones.every((zone) => /^([a-z0-9][a-z0-9-]*\.)+[a-z0-9-]{2,}$/.test(zone.name))).toBe(true)
    expect(zones.some((zone) => zone.phishing) && zones.some((zone) => zone.paused)).toBe(true)
  })

  test('has accounts in each state, and a user in two of them', () => {
    const world = buildWorld({ zones: 200, accounts: 8, seed: 1 })
    const conditions = world.credentials.map((entry) => entry.condition)
    expect(conditions).toEqual(['healthy', 'healthy', 'healthy', 'healthy', 'healthy', 'flagged', 'revoked', 'empty'])
    const { users, zones, accounts } = world.content()
    expect(users[1]?.accountIds).toHaveLength(2)
    expect(zones.filter((zone) => zone.account.id === accounts[7]?.id)).toEqual([])
    expect(users[6]?.globalKey).toBeNull()
  })

  test('with plain options has healthy accounts of equal size, each visible only to its own user', () => {
    const { zones, users, accounts } = buildWorld({ zones: 100, accounts: 5, seed: 1, plain: true }).content()
    for (const account of accounts) expect(zones.filter((zone) => zone.account === account)).toHaveLength(20)
    expect(users.every((user) => user.accountIds.length === 1 && user.globalKey !== null)).toBe(true)
    expect(zones.every((zone) => zone.status === 'active')).toBe(true)
  })
})
