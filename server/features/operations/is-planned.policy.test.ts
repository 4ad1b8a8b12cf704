import { expect, test } from 'vitest'
import { isPlanned } from './is-planned.policy.ts'

/** Content as people write it, and as the provider returns it. */
const written: readonly (readonly [type: string, planned: string, shown: string])[] = [
  ['A', '203.0.113.9', '203.0.113.9'],
  ['AAAA', '2001:0DB8::0001', '2001:db8::1'],
  ['CNAME', 'Target.Example.com.', 'target.example.com'],
  ['TXT', 'a proof', '"a proof"'],
  ['TXT', '"a proof"', 'a proof'],
  ['TXT', '"in two " "strings"', '"in two strings"'],
  ['TXT', '"in two " "strings"', 'in two strings'],
  ['TXT', String.raw`say "hi"`, String.raw`"say \"hi\""`],
  ['MX', 'Mail.Example.com.', 'mail.example.com'],
  ['NS', 'NS1.example.com', 'ns1.example.com.'],
  ['CAA', '0 issue letsencrypt.org', '0 issue "letsencrypt.org"'],
  ['SRV', '10 5060 SIP.example.com.', '10 5060 sip.example.com'],
]

test.each(written)('a change of %s belongs to the operation in any notation: %s, %s', (type, planned, shown) => {
  const record = (content: string) => ({ type, name: 'www.example.com', content })
  const change = { subject: 'record' as const, key: 'r1', before: null, after: record(shown) }
  expect(isPlanned({ before: [], after: [record(planned)] }, change, 'example.com')).toBe(true)
  expect(isPlanned({ before: [], after: { settings: {}, records: [record(planned)] } }, change, 'example.com')).toBe(true)
  expect(isPlanned({ before: [record(planned)], after: [] }, { ...change, before: record(shown), after: null }, 'example.com')).toBe(true)
  // Deleting a record that was to be added is not the operation's change.
  expect(isPlanned({ before: [], after: [record(planned)] }, { ...change, before: record(shown), after: null }, 'example.com')).toBe(false)
})

test('a setting change belongs to the operation only with the planned value', () => {
  const change = { subject: 'setting' as const, key: 'min_tls_version', before: { value: '1.0' }, after: { value: '1.3' } }
  expect(isPlanned({ before: {}, after: { minTlsVersion: '1.3' } }, change, 'example.com')).toBe(true)
  expect(isPlanned({ before: {}, after: { minTlsVersion: '1.2' } }, change, 'example.com')).toBe(false)
  expect(isPlanned({ before: {}, after: { ssl: 'strict' } }, change, 'example.com')).toBe(false)
})

const zone = 'example.com'
const address = (change: object = {}) => ({ type: 'A', name: 'www.example.com', content: '203.0.113.9', ...change })
const made = (after: unknown, before: unknown = null) => ({ subject: 'record' as const, key: 'r1', before, after })

test.each([
  ['another type', { type: 'AAAA' }],
  ['another name', { name: 'shop.example.com' }],
  ['another content', { content: '203.0.113.10' }],
])('a record with %s does not belong to the operation', (_what, change) => {
  for (const after of [[address()], { records: [address()] }]) {
    expect(isPlanned({ before: [], after }, made(address(change)), zone)).toBe(false)
    expect(isPlanned({ before: after, after: [] }, made(null, address(change)), zone)).toBe(false)
  }
})

test('a priority is compared only where both the plan and the change have one', () => {
  const mail = (priority?: number | null) => ({ type: 'MX', name: zone, content: 'mail.example.com', priority })
  const isSame = (planned: object, changed: object) => isPlanned({ before: [], after: [planned] }, made(changed), zone)
  expect(isSame(mail(10), mail(10))).toBe(true)
  expect(isSame(mail(10), mail(20))).toBe(false)
  for (const none of [undefined, null]) {
    expect(isSame(mail(none), mail(20))).toBe(true)
    expect(isSame(mail(10), mail(none))).toBe(true)
    expect(isSame(mail(none), mail(none))).toBe(true)
  }
})

test('any one of several planned records belongs to the operation', () => {
  const after = [address({ name: 'a.example.com' }), address(), address({ type: 'TXT', content: 'x' })]
  expect(isPlanned({ before: [], after }, made(address()), zone)).toBe(true)
  expect(isPlanned({ before: [], after: { records: after } }, made(address()), zone)).toBe(true)
})

test('nothing belongs to an empty plan, and a change of another subject never belongs to the operation', () => {
  const plan = { before: [address()], after: [address()] }
  for (const nothing of [null, {}, [], { records: [] }, { settings: {} }, 'x']) {
    expect(isPlanned({ before: nothing, after: nothing }, made(address()), zone)).toBe(false)
    expect(
      isPlanned({ before: nothing, after: nothing }, { ...made({ value: 'strict' }), subject: 'setting' as const, key: 'ssl' }, zone),
    ).toBe(false)
  }
  expect(isPlanned(plan, { ...made(address()), subject: 'zone' as const }, zone)).toBe(false)
  expect(isPlanned(plan, made({ listed: true }), zone)).toBe(false)
  expect(isPlanned(plan, made(null), zone)).toBe(false)
})

test('a setting planned beside records belongs to the operation; a setting unknown to the panel never does', () => {
  const set = (key: string, after: unknown) => ({ subject: 'setting' as const, key, before: null, after })
  const plan = { before: {}, after: { records: [address()], settings: { minTlsVersion: '1.3' } } }
  expect(isPlanned(plan, set('min_tls_version', { value: '1.3' }), zone)).toBe(true)
  expect(isPlanned({ before: {}, after: { settings: { minTlsVersion: '1.3' } } }, set('min_tls_version', { value: '1.3' }), zone)).toBe(
    true,
  )
  expect(isPlanned({ before: {}, after: { records: [address()] } }, set('min_tls_version', { value: '1.3' }), zone)).toBe(false)
  expect(isPlanned(plan, set('min_tls_version', null), zone)).toBe(false)
  expect(isPlanned(plan, set('rocket_loader_of_tomorrow', { value: '1.3' }), zone)).toBe(false)
})

test('a rule of IP access belongs to the operation with the planned value, action and note', () => {
  const rule = (change: object = {}) => ({
    id: 'r1',
    mode: 'block',
    target: 'ip',
    value: '203.0.113.7',
    note: 'bots',
    expiresAt: null,
    ...change,
  })
  const change = (before: unknown, after: unknown) => ({ subject: 'ip_rule' as const, key: 'r1', before, after })
  const planned = { ipAccess: [{ mode: 'block', value: '203.0.113.7', note: 'bots' }] }
  const [added, deleted] = [
    { before: { ipAccess: [] }, after: planned },
    { before: planned, after: { ipAccess: [] } },
  ]
  expect(isPlanned(added, change(null, rule()), zone)).toBe(true)
  expect(isPlanned(deleted, change(rule(), null), zone)).toBe(true)
  expect(isPlanned(added, change(rule(), null), zone)).toBe(false)
  expect(isPlanned(deleted, change(null, rule()), zone)).toBe(false)
  for (const other of [{ mode: 'whitelist' }, { value: '203.0.113.8' }, { note: 'theirs' }]) {
    expect(isPlanned(added, change(null, rule(other)), zone)).toBe(false)
    expect(isPlanned(deleted, change(rule(other), null), zone)).toBe(false)
  }
  // A rule on both sides is kept, so its deletion is somebody else's; and no operation changes a rule.
  const extended = { before: planned, after: { ipAccess: [...planned.ipAccess, { ...planned.ipAccess[0], value: '203.0.113.9' }] } }
  expect(isPlanned(extended, change(null, rule({ value: '203.0.113.9' })), zone)).toBe(true)
  expect(isPlanned(extended, change(rule(), null), zone)).toBe(false)
  expect(isPlanned(added, change(rule({ mode: 'whitelist' }), rule()), zone)).toBe(false)
  const unread = { before: { ipAccess: [{ mode: null, target: 'ip', value: '203.0.113.7' }] }, after: { ipAccess: [] } }
  expect(isPlanned(unread, change(rule({ mode: 'whitelist', note: 'theirs' }), null), zone)).toBe(true)
  expect(isPlanned({ before: [address()], after: { records: [address()] } }, change(null, rule()), zone)).toBe(false)
})
