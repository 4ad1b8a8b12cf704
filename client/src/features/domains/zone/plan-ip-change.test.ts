import { describe, expect, it } from 'vitest'
import type { DnsRecord } from '#shared/features/records/schema.ts'
import { looksLikeIp, planIpChange } from './plan-ip-change.ts'

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

describe('what a change of address will do', () => {
  it('R-DOM-14 replace gives every A record the address, one a name', () => {
    expect(planIpChange(records, '192.0.2.9', 'replace')).toEqual({
      type: 'A',
      steps: [
        { name: 'example.com', from: '192.0.2.1', to: '192.0.2.9' },
        { name: 'example.com', from: '192.0.2.2', to: null },
        { name: 'mail.example.com', from: '192.0.2.1', to: '192.0.2.9' },
      ],
      unchanged: 1,
    })
  })

  it('R-DOM-14 add puts one record beside those of each name that lacks it', () => {
    expect(planIpChange(records, '192.0.2.1', 'add')).toEqual({
      type: 'A',
      steps: [{ name: 'www.example.com', from: null, to: '192.0.2.1' }],
      unchanged: 2,
    })
  })

  it('R-DOM-14 an IPv6 address goes into AAAA records, whatever its case', () => {
    expect(planIpChange(records, '2001:DB8::1', 'replace')).toEqual({ type: 'AAAA', steps: [], unchanged: 1 })
    expect(planIpChange(records.slice(0, 2), '2001:db8::2', 'replace')).toEqual({ type: 'AAAA', steps: [], unchanged: 0 })
  })

  it('waits with the preview until the address is whole', () => {
    expect(['', '192.0.2', '192.0.2.', 'a', '2001'].map(looksLikeIp)).toEqual([false, false, false, false, false])
    expect(['192.0.2.1', '::1', '2001:db8::1'].map(looksLikeIp)).toEqual([true, true, true])
  })
})
