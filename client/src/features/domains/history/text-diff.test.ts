import { expect, test } from 'vitest'
import { textDiff } from './text-diff.ts'

const written = (before: string, after: string): string | undefined =>
  textDiff(before, after)
    ?.map(({ kind, text }) => (kind === 'same' ? text : kind === 'before' ? `[-${text}-]` : `{+${text}+}`))
    .join('')

test('a long text shows the changed words, wherever they are', () => {
  expect(
    written(
      'v=spf1 include:_spf.google.com ip4:192.0.2.1 include:b.example -all',
      'v=spf1 include:_spf.google.com ip4:192.0.2.77 include:b.example ~all',
    ),
  ).toBe('v=spf1 include:_spf.google.com [-ip4:192.0.2.1-]{+ip4:192.0.2.77+} include:b.example [--all-]{+~all+}')
  expect(written('v=spf1 include:a.example -all', 'v=spf1 include:a.example include:b.example -all')).toBe(
    'v=spf1 include:a.example {+include:b.example +}-all',
  )
})

test('both texts can be reconstructed from the parts', () => {
  const [before, after] = ['v=DKIM1; k=rsa; p=AAAABBBBCCCC', 'v=DKIM1; h=sha256; k=rsa; p=DDDD']
  const parts = textDiff(before, after) ?? []
  const side = (kind: 'before' | 'after') =>
    parts
      .filter((part) => part.kind === 'same' || part.kind === kind)
      .map(({ text }) => text)
      .join('')
  expect([side('before'), side('after')]).toEqual([before, after])
})

test('texts with little in common, and very long ones, are shown in full', () => {
  expect(textDiff('192.0.2.1', '192.0.2.2')).toBeNull()
  expect(textDiff('old.example.com', 'something quite different')).toBeNull()
  expect(textDiff('a '.repeat(1_000), 'b '.repeat(1_000))).toBeNull()
})
