import { expect, test } from 'vitest'
import { readRateHeaders } from './rate-headers.ts'

const now = Date.parse('2026-11-21T07:00:00Z')

test.each([
  [
    'what Cloudflare documents',
    { ratelimit: '"default";r=50;t=30', 'ratelimit-policy': '"default";q=1200;w=300' },
    { left: 50, resetMs: 30_000, policy: { limit: 1_200, windowMs: 300_000 }, retryAfterMs: null },
  ],
  [
    'several limits: the tightest, with its own policy',
    { ratelimit: '"burst";r=3;t=2, "default";r=900;t=100', 'ratelimit-policy': ['"default";q=1200;w=300', '"burst";q=100;w=60'] },
    { left: 3, resetMs: 2_000, policy: { limit: 100, windowMs: 60_000 }, retryAfterMs: null },
  ],
  [
    'the documented example, whose names differ',
    { ratelimit: '"default";r=50;t=30', 'ratelimit-policy': '"burst";q=100;w=60' },
    { left: 50, resetMs: 30_000, policy: { limit: 100, windowMs: 60_000 }, retryAfterMs: null },
  ],
  ['a refusal', { 'retry-after': '17' }, { left: null, resetMs: 0, policy: null, retryAfterMs: 17_000 }],
  [
    'a refusal until a date',
    { 'retry-after': 'Sat, 21 Nov 2026 07:00:05 GMT' },
    { left: null, resetMs: 0, policy: null, retryAfterMs: 5_000 },
  ],
  ['nothing', {}, { left: null, resetMs: 0, policy: null, retryAfterMs: null }],
  [
    'nonsense',
    { ratelimit: 'r;=;"x";r=many,,;', 'ratelimit-policy': '"";q=-1;w=0', 'retry-after': 'soon' },
    { left: null, resetMs: 0, policy: null, retryAfterMs: null },
  ],
])('reads %s', (_, headers, expected) => {
  expect(readRateHeaders(headers, now)).toEqual(expected)
})
