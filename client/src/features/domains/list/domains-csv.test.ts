import { expect, test } from 'vitest'
import type { Domain } from '#shared/features/domains/schema.ts'
import { domainsCsv } from './domains-csv.ts'

const row = {
  id: '1',
  zoneId: 'z',
  name: 'xn--e1afmkfd.example',
  displayName: 'пример.example',
  status: 'active',
  sslMode: null,
  tlsMin: '1.2',
  https: true,
  securityLevel: null,
  botFightMode: false,
  aiBots: 'block',
  aiLabyrinth: null,
  managedRobotsTxt: true,
  dnssecStatus: 'pending',
  originCertificate: 'expires_soon',
  originCertificateExpiresAt: '2026-12-01T00:00:00.000Z',
  originIPs: ['203.0.113.7', '203.0.113.8'],
  recordsCount: 0,
  traffic: { requests: 120, bytes: 4_000, threats: 0, clientErrors: 3, serverErrors: 0, trend: '0'.repeat(30) },
  health: 'ok',
  trackerType: 'KEITARO',
  nameServers: ['a.ns', 'b.ns'],
  plan: 'Free',
  createdAt: '2026-01-01T00:00:00Z',
  updatedAt: '2026-01-02T00:00:00Z',
  group: null,
  account: { email: 'a@b.example', name: '=HYPERLINK("http://evil")' },
} as unknown as Domain

test('an exported cell is never a formula, and quotes and commas are preserved', () => {
  const [heading, line] = domainsCsv([row, { ...row, account: { email: 'x', name: 'Shop, "north"' } }]).split('\r\n')
  expect(heading?.startsWith('\uFEFFdomain,punycode,status')).toBe(true)
  expect(line).toContain(`"'=HYPERLINK(""http://evil"")"`)
  expect(domainsCsv([{ ...row, account: { email: 'x', name: 'Shop, "north"' } }])).toContain('"Shop, ""north"""')
})

test('an unknown value is an empty cell and zero is a zero', () => {
  expect(domainsCsv([row]).split('\r\n')[1]).toContain(
    ',,1.2,true,,false,block,,true,pending,expires_soon,2026-12-01T00:00:00.000Z,203.0.113.7 203.0.113.8,0,120,4000,0,3,0,ok,KEITARO,',
  )
})
