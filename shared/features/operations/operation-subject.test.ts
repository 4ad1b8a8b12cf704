import { expect, test } from 'vitest'
import { operationSubject } from './operation-subject.ts'

test('an operation is named by the address that it sets and the texts that it replaces', () => {
  expect(operationSubject('ip', { ipAddress: '203.0.113.200', mode: 'replace' })).toBe('203.0.113.200')
  expect(operationSubject('dns_replace', { find: 'old.example', replace: 'new.example', types: [] })).toBe('old.example → new.example')
  expect(operationSubject('dns_replace', { find: 'a', replace: 'b'.repeat(2_000) })).toBe(`a → ${'b'.repeat(59)}…`)
  expect(operationSubject('ip', {})).toBeNull()
  expect(operationSubject('purge', {})).toBeNull()
})
