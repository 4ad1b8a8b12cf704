import { expect, test } from 'vitest'
import { findUnstorableText } from './find-invalid-text.ts'

test('text that PostgreSQL would refuse is found at any depth', () => {
  expect(findUnstorableText('a\0b')).toBe('')
  expect(findUnstorableText({ name: 'a\0b' })).toBe('name')
  expect(findUnstorableText({ lines: [{ email: 'ok' }, { email: 'a\ud800b' }] })).toBe('lines.1.email')
  expect(findUnstorableText({ inner: { 'a\0': 1 } })).toBe('inner')
})

test('all other text passes: emoji, right-to-left text, numbers, nothing', () => {
  expect(findUnstorableText({ name: '🦊 שלום', count: 1, none: null, list: [true] })).toBeNull()
  expect(findUnstorableText(undefined)).toBeNull()
})
