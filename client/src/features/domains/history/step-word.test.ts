import { expect, test } from 'vitest'
import { stepWord } from './step-word.ts'

test('taking back an added record is called a deletion, and taking back a deletion an addition', () => {
  const record = { content: '192.0.2.1' }
  expect(stepWord({ state: 'will_change', now: record, wanted: null }, 'record')).toBe('will_delete')
  expect(stepWord({ state: 'will_change', now: null, wanted: record }, 'record')).toBe('will_add')
  expect(stepWord({ state: 'will_change', now: record, wanted: record }, 'record')).toBe('will_change')
  expect(stepWord({ state: 'already', now: null, wanted: null }, 'record')).toBe('already')
  expect(stepWord({ state: 'will_change', now: null, wanted: 'id' }, 'zone')).toBe('will_change')
})
