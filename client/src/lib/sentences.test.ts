import { expect, test } from 'vitest'
import { sentences } from './sentences.ts'

test('a refusal in two parts reads as two sentences, and neither gets a second end', () => {
  expect(sentences('Cloudflare refused the request', undefined, 'Cloudflare answered (81057): it is there')).toBe(
    'Cloudflare refused the request. Cloudflare answered (81057): it is there',
  )
  expect(sentences('Try again.', '', null, 'Why?', 'Because')).toBe('Try again. Why? Because')
})
