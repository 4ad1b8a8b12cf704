import { expect, test } from 'vitest'
import { checkRedirects, followRedirects, indexRedirects } from '#shared/features/redirects/graph.ts'
import type { Redirect } from '#shared/features/redirects/schema.ts'

function to(source: string, target: string, flags: Partial<Redirect> = {}): Redirect {
  const off = { preserveQueryString: false, includeSubdomains: false, subpathMatching: false, preservePathSuffix: false }
  return { source, target, status: 301, ...off, ...flags }
}
const below = { subpathMatching: true, preservePathSuffix: true }
const follow = (redirects: readonly Redirect[], url: string) => followRedirects(indexRedirects(redirects), new URL(url))
const check = (redirects: readonly Redirect[]) => checkRedirects(indexRedirects(redirects))

test.each([
  ['exactly the path', to('a.example/x', 'https://t.example/'), 'http://a.example/x', 'https://t.example/'],
  ['not a path below', to('a.example/x', 'https://t.example/'), 'https://a.example/x/y', null],
  ['a path below', to('a.example/x', 'https://t.example/n', below), 'https://a.example/x/y/z', 'https://t.example/n/y/z'],
  ['not a longer name', to('a.example/x', 'https://t.example/n', below), 'https://a.example/xy', null],
  ['a path below a folder', to('a.example/x/', 'https://t.example/n/', below), 'https://a.example/x/y', 'https://t.example/n/y'],
  ['without the rest', to('a.example/x', 'https://t.example/n', { subpathMatching: true }), 'https://a.example/x/y', 'https://t.example/n'],
  ['the scheme', to('http://a.example/', 'https://t.example/', below), 'https://a.example/', null],
  ['not subdomains', to('a.example/', 'https://t.example/', below), 'https://www.a.example/', null],
  [
    'subdomains',
    to('a.example/', 'https://t.example/', { ...below, includeSubdomains: true }),
    'https://w.a.example/q',
    'https://t.example/q',
  ],
  ['not another domain', to('a.example/', 'https://t.example/', { ...below, includeSubdomains: true }), 'https://xa.example/q', null],
  ['the query', to('a.example/', 'https://t.example/', { preserveQueryString: true }), 'https://a.example/?q=1', 'https://t.example/?q=1'],
  ['without the query', to('a.example/', 'https://t.example/?p=2'), 'https://a.example/?q=1', 'https://t.example/?p=2'],
])('a redirect matches %s', (_, redirect, url, end) => {
  expect(follow([redirect], url).end).toBe(end ?? url)
})

test.each([
  ['the longer path', ['a.example/x/y', 'a.example/x'], 'https://a.example/x/y/z'],
  ['the host itself', ['b.a.example/', 'a.example/'], 'https://b.a.example/'],
  ['the longer domain', ['b.a.example/', 'a.example/'], 'https://c.b.a.example/'],
  ['the scheme', ['https://a.example/', 'a.example/'], 'https://a.example/'],
])('of several redirects %s wins', (_, [winner = '', other = ''], url) => {
  const options = { ...below, includeSubdomains: true }
  const all = [to(other, 'https://other.example/', options), to(winner, 'https://winner.example/', options)]
  for (const given of [all, all.toReversed()]) expect(follow(given, url).hops[0]?.redirect.source).toBe(winner)
})

test('a redirect to itself, through another one, or through a subdomain is a loop, and so is what leads there', () => {
  expect(check([to('a.example/', 'https://a.example/')])).toEqual([{ source: 'a.example/', kind: 'loop', next: 'a.example/' }])
  expect(check([to('a.example/', 'https://a.example/new', below)])).toMatchObject([{ kind: 'loop' }])
  expect(check([to('a.example/', 'https://www.a.example/', { ...below, includeSubdomains: true })])).toMatchObject([{ kind: 'loop' }])
  expect(check([to('http://a.example/', 'https://a.example/', below)])).toEqual([])
  const round = [to('a.example/', 'https://b.example/'), to('b.example/', 'https://a.example/'), to('c.example/', 'https://a.example/')]
  expect(check(round)).toMatchObject([{ kind: 'loop' }, { kind: 'loop' }, { source: 'c.example/', kind: 'loop', next: 'a.example/' }])
  expect(follow(round, 'https://c.example/')).toMatchObject({ isLoop: true })
})

test('a loop that only some paths below a source enter is found where it is entered', () => {
  const redirects = [to('a.example/a/', 'https://a.example/b/', below), to('a.example/b/c', 'https://a.example/a/c')]
  expect(check(redirects)).toEqual([{ source: 'a.example/b/c', kind: 'loop', next: 'a.example/a/' }])
})

test('a chain names the next redirect of each', () => {
  const chain = [to('a.example/', 'https://b.example/'), to('b.example/', 'https://c.example/'), to('c.example/', 'https://end.example/')]
  expect(check(chain)).toEqual([
    { source: 'a.example/', kind: 'chain', next: 'b.example/' },
    { source: 'b.example/', kind: 'chain', next: 'c.example/' },
  ])
  expect(follow(chain, 'https://a.example/')).toMatchObject({ end: 'https://end.example/', hops: { length: 3 }, isLoop: false })
})

test('redirects in one chain, and in one loop, take time in proportion to their number', () => {
  // Quadratic work would take minutes.
  const many = 30_000
  const chain = Array.from({ length: many }, (_, at) => to(`a.example/${at}`, `https://a.example/${at + 1}`))
  const startedAt = performance.now()
  expect(check(chain)).toHaveLength(many - 1)
  expect(check([...chain.slice(1), to(`a.example/${many}`, 'https://a.example/1')]).every(({ kind }) => kind === 'loop')).toBe(true)
  expect(performance.now() - startedAt).toBeLessThan(15_000)
})

test('redirects that grow through many parents of a host are checked in seconds, or the check ends', () => {
  const labels = Array.from({ length: 120 }, () => 'a')
  const deep = `${labels.join('.')}.ex`
  const path = `/${Array.from({ length: 16 }, () => 'p'.repeat(100)).join('/')}`
  const parents = labels.map((_, at) => `${labels.slice(at).join('.')}.ex`)
  const redirects = [
    ...parents.map((host, at) =>
      at === parents.length - 1
        ? to(`${host}/`, `https://${deep}${path}`, { ...below, includeSubdomains: true })
        : to(`${host}/x`, 'https://t.example/', { includeSubdomains: true }),
    ),
    ...Array.from({ length: 870 }, (_, at) => to(`s${at}.example/`, `https://${deep}${path}/${at}`)),
  ]
  const startedAt = performance.now()
  const index = indexRedirects(redirects)
  expect(checkRedirects(index)).toHaveLength(871)
  expect(performance.now() - startedAt).toBeLessThan(15_000)
  for (let more = 0; more < 100_000 && !index.isExhausted(); more += 1)
    index.findNode({ scheme: 'https', host: deep, path: path.repeat(10) })
  expect(index.isExhausted()).toBe(true)
  expect(index.findNode({ scheme: null, host: 's0.example', path: '/' })).toBeNull()
})
