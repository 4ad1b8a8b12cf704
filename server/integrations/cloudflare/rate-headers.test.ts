import { expect, test } from 'vitest'
import { readRateHeaders } from './rate-headers.ts'

const now = Date.parse('2026-11-21T07:00:00Z')

type Case = [name: string, headers: Readonly<Record<string, string | string[]>>, expected: ReturnType<typeof readRateHeaders>]

const policyCases = (
  [
    ['q=0;w=300', null],
    ['q=100;w=0', null],
    ['q=100', null],
    ['w=300', null],
    ['q=1;w=0.001', { limit: 1, windowMs: 1 }],
    ['q=1;w=1.25', { limit: 1, windowMs: 1_250 }],
    ['q=1;w=86400', { limit: 1, windowMs: 86_400_000 }],
    ['q=1;w=999999999', null],
    ['q=1x;w=1', null],
    ['q=x1;w=1', null],
    ['q=1;w=1.', null],
  ] as const
).map(([policy, expected]): Case => [
  `a policy of ${policy}`,
  { ratelimit: '"a";r=5;t=1', 'ratelimit-policy': `"a";${policy}` },
  { left: 5, resetMs: 1_000, policy: expected, retryAfterMs: null },
])

const retryCases = (
  [
    ['1.25', 1_250],
    ['17 s', null],
    ['999999999', 3_600_000],
    ['Sat, 21 Nov 2057 07:00:00 GMT', 3_600_000],
    ['Sat, 21 Nov 2026 06:59:59 GMT', 0],
  ] as const
).map(([after, retryAfterMs]): Case => [
  `a refusal until ${after}`,
  { 'retry-after': after },
  { left: null, resetMs: 0, policy: null, retryAfterMs },
])

test.each<Case>([
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
  [
    'several limits in any order, with spaces and without quotes',
    { ratelimit: 'default ;r=900;t=100 , "burst" ; r = 3 ;t= 2', 'ratelimit-policy': 'burst;q=100;w=60,"default";q=1200;w=300' },
    { left: 3, resetMs: 2_000, policy: { limit: 100, windowMs: 60_000 }, retryAfterMs: null },
  ],
  [
    'a limit for 31 years as one for an hour',
    { ratelimit: '"a";r=0;t=999999999' },
    { left: 0, resetMs: 3_600_000, policy: null, retryAfterMs: null },
  ],
  ['a limit without a time as one that is over', { ratelimit: '"default";r=0' }, { left: 0, resetMs: 0, policy: null, retryAfterMs: null }],
  [
    'no policy of another name where there are two limits',
    { ratelimit: '"a";r=5;t=1, "b";r=9;t=1', 'ratelimit-policy': '"c";q=100;w=60' },
    { left: 5, resetMs: 1_000, policy: null, retryAfterMs: null },
  ],
  [
    'no policy of another name where there are two policies',
    { ratelimit: '"a";r=5;t=1', 'ratelimit-policy': '"c";q=100;w=60, "d";q=200;w=60' },
    { left: 5, resetMs: 1_000, policy: null, retryAfterMs: null },
  ],
  ...policyCases,
  ...retryCases,
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
