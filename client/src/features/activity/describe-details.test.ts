import { expect, test } from 'vitest'
import { choiceOf, describeDetails } from './describe-details.ts'

test('R-LOG-01 a change from one value to another is recognized in every stored form', () => {
  const change = { kind: 'change', key: 'ssl', from: 'off', to: 'full' }
  expect(describeDetails({ ssl: { from: 'off', to: 'full' } })).toEqual([change])
  expect(describeDetails({ before: { ssl: 'off' }, after: { ssl: 'full' } })).toEqual([change])
  expect(describeDetails({ access: { user: 'ann', from: null, to: 'view' } })).toEqual([
    { kind: 'change', key: 'access', from: null, to: 'view' },
    { kind: 'value', key: 'user', value: 'ann' },
  ])
})

test('internal fields and empty results are omitted', () => {
  expect(describeDetails({ part: 'records', source: 'panel', created: 1, updated: 0, deleted: 0, records: ['A www'] })).toEqual([
    { kind: 'value', key: 'created', value: 1 },
    { kind: 'value', key: 'records', value: ['A www'] },
  ])
  expect(describeDetails({ cache: { files: 3 } })).toEqual([{ kind: 'value', key: 'files', value: 3 }])
  expect(describeDetails({ operation: 'x', input: { a: 1 }, color: null, description: '' })).toEqual([])
})

test.each([[{ before: 1, after: null }], [{ x: undefined }], [{ y: [] }], [{ z: { from: 1 } }]])(
  'unknown details (%j) do not throw',
  (details) => {
    expect(() => describeDetails(details)).not.toThrow()
  },
)

test('a name or a text that equals a known value is not translated', () => {
  expect(choiceOf('scope', 'write')).toBe('write')
  expect(choiceOf('name', 'write')).toBeNull()
  expect(choiceOf('description', 'all')).toBeNull()
  expect(choiceOf('role', { from: 'admin' })).toBeNull()
})
