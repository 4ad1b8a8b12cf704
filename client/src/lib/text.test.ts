import { expect, test } from 'vitest'
import { firstOf, gapText, sentences } from './text.ts'

test('the first of many are named, and the rest are counted', () => {
  expect(firstOf([], 2)).toEqual({ shown: [], more: 0 })
  expect(firstOf(['a'], 2)).toEqual({ shown: ['a'], more: 0 })
  expect(firstOf(['a', 'b'], 2)).toEqual({ shown: ['a', 'b'], more: 0 })
  expect(firstOf(['a', 'b', 'c'], 2)).toEqual({ shown: ['a', 'b'], more: 1 })
})

test('a text with a placeholder is translated once, however often it is filled', () => {
  let translated = 0
  const deleteRow = gapText((row) => {
    translated += 1
    return `Delete ${row} for ever`
  })
  expect([deleteRow('a'), deleteRow('$&'), translated]).toEqual(['Delete a for ever', 'Delete $& for ever', 1])
})

test('an error in two parts reads as two sentences, each with one full stop', () => {
  expect(sentences('Cloudflare refused the request', undefined, 'Cloudflare answered (81057): it is there')).toBe(
    'Cloudflare refused the request. Cloudflare answered (81057): it is there',
  )
  expect(sentences('Try again.', '', null, 'Why?', 'Because')).toBe('Try again. Why? Because')
})
