import { describe, expect, it } from 'vitest'
import { planIpChange } from './ip-change.ts'
import type { DnsRecord } from './schema.ts'

const record = (type: string, name: string, content: string): DnsRecord => ({
  id: `${type} ${name} ${content}`,
  type,
  name,
  content,
  ttl: 1,
  proxied: false,
  proxiable: true,
  priority: null,
  comment: null,
  tags: [],
  data: null,
  modifiedAt: null,
})
const records = [
  record('A', 'example.com', '192.0.2.1'),
  record('A', 'example.com', '192.0.2.2'),
  record('A', 'www.example.com', '192.0.2.9'),
  record('A', 'mail.example.com', '192.0.2.1'),
  record('AAAA', 'example.com', '2001:db8::1'),
  record('TXT', 'example.com', '192.0.2.1'),
]

const summarize = (plan: ReturnType<typeof planIpChange>) => {
  const ids = (some: readonly DnsRecord[]) => some.map(({ name, content }) => `${name} ${content}`)
  return { updates: ids(plan.updates), deletes: ids(plan.deletes), creates: ids(plan.creates), unchanged: ids(plan.unchanged) }
}

describe('which records a change of IP address touches', () => {
  it('R-DOM-14 replace points every A record to the address, one per name', () => {
    expect(summarize(planIpChange(records, { address: '192.0.2.9', mode: 'replace' }))).toEqual({
      updates: ['example.com 192.0.2.1', 'mail.example.com 192.0.2.1'],
      deletes: ['example.com 192.0.2.2'],
      creates: [],
      unchanged: ['www.example.com 192.0.2.9'],
    })
  })

  it('R-DOM-14 add creates one record for each name that lacks the address', () => {
    expect(summarize(planIpChange(records, { address: '192.0.2.1', mode: 'add' }))).toEqual({
      updates: [],
      deletes: [],
      creates: ['www.example.com 192.0.2.9'],
      unchanged: ['example.com 192.0.2.1', 'mail.example.com 192.0.2.1'],
    })
  })

  it('R-DOM-14 an IPv6 address goes into AAAA records', () => {
    const plan = planIpChange(records, { address: '2001:db8::2', mode: 'replace' })
    expect(plan.type).toBe('AAAA')
    expect(summarize(plan).updates).toEqual(['example.com 2001:db8::1'])
    expect(summarize(planIpChange(records.slice(0, 2), { address: '2001:db8::2', mode: 'replace' })).updates).toEqual([])
  })

  it('R-DOM-14 an IPv6 address is added beside A records too, one per name', () => {
    const plan = planIpChange(records, { address: '2001:db8::1', mode: 'add' })
    expect(summarize(plan)).toEqual({
      updates: [],
      deletes: [],
      creates: ['www.example.com 192.0.2.9', 'mail.example.com 192.0.2.1'],
      unchanged: ['example.com 2001:db8::1'],
    })
    expect(summarize(planIpChange(records.slice(4), { address: '192.0.2.1', mode: 'add' })).creates).toEqual(['example.com 2001:db8::1'])
    expect(summarize(planIpChange(records.slice(5), { address: '192.0.2.1', mode: 'add' })).creates).toEqual([])
    // The new record is like one of its own type, wherever that is in the list.
    const mixed = [record('AAAA', 'example.com', '2001:db8::1'), record('A', 'example.com', '192.0.2.1')]
    expect(summarize(planIpChange(mixed, { address: '192.0.2.7', mode: 'add' })).creates).toEqual(['example.com 192.0.2.1'])
    expect(summarize(planIpChange(mixed.toReversed(), { address: '2001:db8::7', mode: 'add' })).creates).toEqual([
      'example.com 2001:db8::1',
    ])
  })
})
