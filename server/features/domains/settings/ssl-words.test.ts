import { expect, test } from 'vitest'
import type { CertificatePack } from '#server/ports/dns-host.ts'
import { toCertificate, toVerifications } from './ssl-words.ts'

const nowMs = Date.UTC(2026, 10, 21)
const pack = (given: Partial<CertificatePack>): CertificatePack => ({
  id: '1f2e3d4c-0000-4000-8000-000000000001',
  type: 'universal',
  status: 'active',
  hosts: ['shop.example'],
  certificateAuthority: 'google',
  validityDays: 90,
  validationMethod: 'txt',
  validationRecords: [],
  validationErrors: [],
  expiresAt: new Date(nowMs + 86_400_000),
  ...given,
})

test.each([
  ['active', 'active'],
  ['staging_active', 'active'],
  ['initializing', 'pending_validation'],
  ['pending_validation', 'pending_validation'],
  ['validation_timed_out', 'pending_validation'],
  ['pending_issuance', 'pending_issuance'],
  ['issuance_timed_out', 'pending_issuance'],
  ['pending_deployment', 'pending_issuance'],
  ['deployment_timed_out', 'pending_issuance'],
  ['staging_deployment', 'pending_issuance'],
  ['backup_issued', 'pending_issuance'],
  ['holding_deployment', 'pending_issuance'],
  ['expired', 'expired'],
  ['initializing_timed_out', 'other'],
  ['pending_expiration', 'other'],
  ['pending_deletion', 'other'],
  ['deletion_timed_out', 'other'],
  ['pending_cleanup', 'other'],
  ['deactivating', 'other'],
  ['inactive', 'other'],
  ['deleted', 'other'],
  ['a word of next year', 'other'],
])('R-DET-04 the provider’s %s is shown as %s', (status, state) => {
  expect(toCertificate(pack({ status }), nowMs)).toMatchObject({ status, state })
})

test('R-DET-04 an active certificate past its end date has expired', () => {
  expect(toCertificate(pack({ expiresAt: new Date(nowMs) }), nowMs).state).toBe('expired')
})

test('R-DET-04 validation records are reported by kind; unknown kinds are left out', () => {
  const validationRecords = [
    { status: 'pending', txt_name: '_acme-challenge.shop.example', txt_value: 'abc' },
    { cname: '_x.shop.example', cname_target: 'y.dcv.example' },
    { http_url: 'http://shop.example/.well-known/pki-validation/z.txt', http_body: 'z' },
    { emails: ['admin@shop.example', 'postmaster@shop.example'] },
    { txt_name: 'half' },
    { something: 'new' },
  ]
  expect(toCertificate(pack({ validationRecords }), nowMs).validationRecords).toEqual([
    { kind: 'txt', name: '_acme-challenge.shop.example', value: 'abc' },
    { kind: 'cname', name: '_x.shop.example', value: 'y.dcv.example' },
    { kind: 'http', name: 'http://shop.example/.well-known/pki-validation/z.txt', value: 'z' },
    { kind: 'email', name: 'email', value: 'admin@shop.example' },
    { kind: 'email', name: 'email', value: 'postmaster@shop.example' },
  ])
})

test('R-DET-04 a verification is matched to its certificate with or without dashes in the id', () => {
  const certificate = toCertificate(pack({}), nowMs)
  const given = { certificateStatus: 'active', validationMethod: 'txt', verificationInfo: null }
  const found = toVerifications(
    [
      { ...given, packId: certificate.id.replaceAll('-', '').toUpperCase() },
      { ...given, packId: null },
    ],
    [certificate],
  )
  expect(found.map(({ certificateId }) => certificateId)).toEqual([certificate.id, null])
})
