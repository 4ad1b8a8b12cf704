import type { Bench } from './bench.ts'
import { firstSync } from './first-sync.ts'

const shape = { accounts: 20, recordsPerZone: 20, latencyMs: 50 }

export const syncFigures: Bench = {
  about: 'first sync of 10,000 zones of 20 records over 20 accounts at 50 ms, compared with a plain loop with the same concurrency',
  async run(report) {
    const free = await firstSync({ ...shape, zones: 10_000, callsPerAccount: 3, budget: null })
    if (free.peer === undefined) throw new Error('there was no peer')
    const calls = { calls: free.ours.calls, peerCalls: free.peer.calls, peerSeconds: Number(free.peer.seconds.toFixed(2)) }
    report({
      name: 'no budget',
      value: free.ours.seconds,
      unit: 's',
      against: { kind: 'at most', value: free.peer.seconds / 0.9, what: '90 % of the loop’s throughput' },
      more: calls,
    })
    report({
      name: 'calls',
      value: free.ours.calls,
      unit: 'calls',
      against: { kind: 'at most', value: free.peer.calls, what: 'the plain loop' },
    })
    // 60 calls in 15 seconds per account: 200 zones need about 1,200 calls per account, five minutes.
    const limited = await firstSync({ ...shape, zones: 1_000, callsPerAccount: 10, budget: { limit: 60, windowMs: 15_000 } })
    if (limited.ideal === undefined) throw new Error('there was no ideal')
    report({
      name: '1,000 zones at 60 calls in 15 s',
      value: limited.ours.seconds,
      unit: 's',
      against: { kind: 'at most', value: limited.ideal.seconds / 0.97, what: '97 % of the ideal throughput' },
      more: { idealSeconds: limited.ideal.seconds, calls: limited.ours.calls },
    })
    report({
      name: 'rejected calls (429)',
      value: limited.ours.refused,
      unit: 'calls',
      against: { kind: 'at most', value: 0, what: 'none' },
    })
  },
}
