import { expect, test } from 'vitest'
import { mergeWaiting } from './digest.policy.ts'

const instant = '2026-03-01T12:00:00.000Z'
const opened = (name: string) => ({
  kind: 'opened',
  cause: 'code:slow',
  causeName: null,
  health: 'warnings',
  count: 1,
  names: [name],
  domains: [],
  zoneId: null,
  reasons: [],
  takenAt: instant,
  since: instant,
  worse: false,
  more: false,
})
const waiting = (count: number, change: (at: number) => object = () => ({})) =>
  Array.from({ length: count }, (_, at) => ({
    id: `m${at}`,
    body: opened(`d${at}`),
    repeated: false,
    externalId: null,
    attempts: 0,
    ...change(at),
  }))
const names = (merged: ReturnType<typeof mergeWaiting>) =>
  merged?.body.kind === 'digest' ? merged.body.parts.map((part) => part.names.join()) : null

test('up to five waiting messages are sent one by one; more are merged in their order', () => {
  expect(mergeWaiting([])).toBeNull()
  expect(mergeWaiting(waiting(5))).toBeNull()
  const merged = mergeWaiting(waiting(6))
  expect(names(merged)).toEqual(['d0', 'd1', 'd2', 'd3', 'd4', 'd5'])
  expect(merged?.others).toEqual(['m1', 'm2', 'm3', 'm4', 'm5'])
})

test('a waiting digest is split into its parts', () => {
  const digest = { kind: 'digest', parts: [opened('a'), opened('b')] }
  expect(names(mergeWaiting(waiting(6, (at) => (at === 1 ? { body: digest } : {}))))).toEqual(['d0', 'a', 'b', 'd2', 'd3', 'd4', 'd5'])
})

test('a message that may have arrived is unchanged and ends the merge before it', () => {
  expect(mergeWaiting(waiting(9, (at) => ({ repeated: at === 0 })))).toBeNull()
  expect(mergeWaiting(waiting(9, (at) => ({ repeated: at === 3 })))?.others).toEqual(['m1', 'm2'])
  expect(mergeWaiting(waiting(9, (at) => ({ repeated: at === 1 })))).toBeNull()
})

test('the count of dropped messages is not merged', () => {
  const dropped = { kind: 'dropped', messages: 7, since: instant }
  expect(mergeWaiting(waiting(9, (at) => (at === 2 ? { body: dropped } : {})))?.others).toEqual(['m1'])
  expect(mergeWaiting(waiting(9, (at) => (at === 0 ? { body: dropped } : {})))).toBeNull()
})
