import { expect, test } from 'vitest'
import { textDiff } from './text-diff.ts'

test('a long text shows the words that changed', () => {
  expect(textDiff('v=spf1 include:_spf.google.com ip4:192.0.2.1 -all', 'v=spf1 include:_spf.google.com ip4:192.0.2.77 ~all')).toEqual({
    start: 'v=spf1 include:_spf.google.com ip4:192.0.2.',
    before: '1 -all',
    after: '77 ~all',
    end: '',
  })
  expect(textDiff('v=spf1 include:a.example -all', 'v=spf1 include:a.example include:b.example -all')).toEqual({
    start: 'v=spf1 include:a.example ',
    before: '',
    after: 'include:b.example ',
    end: '-all',
  })
})

test('texts that share little are shown whole', () => {
  expect(textDiff('192.0.2.1', '192.0.2.2')).toBeNull()
  expect(textDiff('old.example.com', 'something quite different')).toBeNull()
})
