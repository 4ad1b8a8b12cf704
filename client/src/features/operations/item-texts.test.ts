import { expect, test } from 'vitest'
import { isOfBatches, itemTexts } from './item-texts.ts'

test('operations of redirects, and their undo, have batches and no domains', () => {
  const redirects = { kind: 'redirects', undoOfKind: null }
  const undo = { kind: 'undo', undoOfKind: 'redirects' }
  const others = [
    { kind: 'ip', undoOfKind: null },
    { kind: 'undo', undoOfKind: 'ip' },
    { kind: 'unknown', undoOfKind: null },
  ]
  expect([redirects, undo, ...others].map(isOfBatches)).toEqual([true, true, false, false, false])
  expect(itemTexts(undo).count).toBe('batches.count')
  expect(itemTexts(undefined).count).toBe('common:domains')
})
