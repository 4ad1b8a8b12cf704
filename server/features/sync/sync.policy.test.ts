import { expect, test } from 'vitest'
import { summarizeRecords } from './sync.policy.ts'

test('R-DOM-02 every address of a domain can be found, however many it has; other types and repetitions are none', () => {
  const records = Array.from({ length: 300 }, (_, at) => ({ type: 'A', content: `198.51.${at % 2}.${at % 150}`, proxied: at % 3 === 0 }))
  const { origin_ips: addresses, ...counts } = summarizeRecords([
    ...records,
    { type: 'AAAA', content: '2001:db8::1', proxied: false },
    { type: 'CNAME', content: 'shops.example.net', proxied: true },
  ])
  expect(addresses).toEqual([...new Set(records.map(({ content }) => content)), '2001:db8::1'].toSorted())
  expect(counts).toEqual({ records_count: 302, proxied_count: 101 })
})
