import { expect, test } from 'vitest'
import type { CheckResult } from '#server/ports/region-probe.ts'
import { createTestMonitoring } from '#server/testing/test-monitoring.ts'
import { writeResults } from './write-results.ts'

const first = '00000000-0000-4000-8000-000000000001'
const last = '00000000-0000-4000-8000-000000000009'
const timings = { dnsMs: 1, connectMs: 1, tlsMs: 1, firstByteMs: 1, totalMs: 4 }
const down: CheckResult = {
  outcome: 'failed',
  findings: [{ code: 'connect_refused', params: {} }],
  status: null,
  family: null,
  timings,
  certificate: null,
}
const withCertificate: CheckResult = {
  outcome: 'good',
  findings: [],
  status: 200,
  family: 4,
  timings,
  certificate: {
    issuer: 'CA',
    names: ['last.example'],
    notBefore: new Date('2026-11-01T00:00:00Z'),
    notAfter: new Date('2027-01-01T00:00:00Z'),
    trusted: true,
    fingerprint: 'ab'.repeat(32),
  },
}

test('R-MON-03 results of two regions never deadlock: domains are locked in id order, whichever part of them changes', async () => {
  const panel = await createTestMonitoring({
    names: ['last.example', 'first.example'],
    regions: ['EUROPE'],
    zone: (name) => ({ id: name === 'first.example' ? first : last }),
  })
  try {
    const { db } = panel.services
    await panel.live('EUROPE')
    const checked = [
      { domainId: last, result: withCertificate },
      { domainId: first, result: down },
    ].map(({ domainId, result }) => ({
      job: { domainId, intervalSeconds: 300, hurried: domainId === first },
      options: { failuresToDown: 1, successesToUp: 2 },
      result,
    }))
    let writing: Promise<unknown> = Promise.resolve()
    await db.sql.begin(async (tx) => {
      await tx`select from zone_monitors where zone_id = ${first} for no key update`
      writing = writeResults(panel.services, 'EUROPE', checked, [])
      await expect
        .poll(async () => (await db.sql`select from pg_locks where not granted`).length, { timeout: 10_000, interval: 10 })
        .toBeGreaterThan(0)
      expect(await tx`select from zone_monitors where zone_id = ${last} for no key update skip locked`).toHaveLength(1)
    })
    await writing
    expect(await db.sql`select certificate->>'issuer' as issuer from zone_monitors where zone_id = ${last}`).toMatchObject([
      { issuer: 'CA' },
    ])
  } finally {
    await panel.close()
  }
})
