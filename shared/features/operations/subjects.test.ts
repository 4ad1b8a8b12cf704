import { expect, test } from 'vitest'
import { operationSubject } from './registry.ts'

test('the subject of an operation is the records it adds, matches and changes, and the settings it sets', () => {
  const record = { type: 'TXT', name: '_token', content: '{{value}}', ttl: 1 }
  expect(operationSubject('dns_add', { records: [record] })).toBe('TXT _token {{value}}')
  expect(operationSubject('dns_add', { records: [record, record, record] })).toBe('TXT _token {{value}} +2')
  expect(operationSubject('dns_delete', { type: 'A', content: '192.0.2.1', match: 'whole' })).toBe('A 192.0.2.1')
  expect(operationSubject('auto_renew', { enabled: false })).toBe('off')
  expect(operationSubject('auto_renew', { enabled: true })).toBe('on')
  expect(operationSubject('dns_edit', { name: 'www', set: { proxied: true, ttl: 300 } })).toBe('www → proxied=true, ttl=300')
  expect(operationSubject('settings', { settings: { ssl: 'full', hsts: { enabled: true } } })).toBe('ssl=full, hsts')
  for (const kind of ['dns_add', 'dns_delete', 'dns_edit', 'settings']) expect(operationSubject(kind, { records: [] })).toBeNull()
})

test('the subject of an operation is the address it sets and the texts it replaces', () => {
  expect(operationSubject('ip', { ipAddress: '203.0.113.200', mode: 'replace' })).toBe('203.0.113.200')
  expect(operationSubject('dns_replace', { find: 'old.example', replace: 'new.example', types: [] })).toBe('old.example → new.example')
  expect(operationSubject('dns_replace', { find: 'a', replace: 'b'.repeat(2_000) })).toBe(`a → ${'b'.repeat(59)}…`)
  expect(operationSubject('dns_replace', { find: 'a'.repeat(60), replace: 'b' })).toBe(`${'a'.repeat(60)} → b`)
  expect(operationSubject('ip', {})).toBeNull()
  for (const kind of ['purge', 'no_such_kind']) expect(operationSubject(kind, {})).toBeNull()
})

test('a stored operation without a readable input has no subject', () => {
  for (const kind of ['ip', 'dns_add', 'dns_delete', 'dns_edit', 'dns_replace', 'settings', 'auto_renew'])
    for (const input of [null, 'x', {}, []]) expect(operationSubject(kind, input)).toBeNull()
})
