import { expect, test } from 'vitest'
import { choiceOf } from './choice-of.ts'

test('a name or a text that is the same as such a value stays what it is', () => {
  expect(choiceOf('scope', 'write')).toBe('write')
  expect(choiceOf('name', 'write')).toBeNull()
  expect(choiceOf('description', 'all')).toBeNull()
  expect(choiceOf('role', { from: 'admin' })).toBeNull()
})
