import { expect, test } from 'vitest'
import { causes } from '#shared/features/monitoring/cause.ts'
import { criticalChange } from '#shared/features/provider-changes/schema.ts'
import type { MessageBody } from './message.ts'
import { textsIn } from './texts.ts'
import { write } from './write-message.ts'

const body = (kinds: readonly string[]) =>
  ({
    kind: 'opened',
    takenAt: '2026-11-20T10:00:00.000Z',
    zoneId: null,
    cause: causes.code('changed_outside'),
    causeName: null,
    health: 'critical',
    count: 1,
    names: ['shop@example.com'],
    domains: [],
    since: '2026-11-20T10:00:00.000Z',
    more: false,
    worse: false,
    reasons: kinds.map((kind) => ({
      code: 'changed_outside',
      regions: [],
      params: { kind, changes: 2, names: 'shop.example', actor: 'colleague@example.com' },
    })),
  }) satisfies MessageBody

test.each(['en', 'ru'])('critical changes outside the panel are named with what, where and who, in %s', (language) => {
  const texts = textsIn(language)
  const { lines, acts } = write(body(criticalChange.options), { texts, timeZone: 'UTC' })
  expect(lines[0]).toMatch(/^🔴 .*shop@example\.com$/)
  const said = lines.filter((line) => /^colleague@example\.com .+: shop\.example$/.test(line))
  expect(new Set(said).size).toBe(criticalChange.options.length)
  expect(acts).toEqual(['ack'])
})

const changed = (given: {
  readonly source: 'operation' | 'panel' | 'revert' | 'provider'
  readonly actor: string | null
}): MessageBody => ({
  ...body([]),
  cause: causes.origin('192.0.2.7'),
  count: 42,
  incidentId: '0191f0a0-0000-7000-8000-000000000001',
  change: { at: '2026-11-20T09:57:00.000Z', kinds: ['records'], domains: 40, ...given },
})

test.each([
  ['en', 'operation', 'Ann', '3 min after an operation, Ann: DNS records, 40 domains'],
  ['en', 'panel', 'Ann', '3 min after a change in the panel, Ann: DNS records, 40 domains'],
  ['en', 'revert', null, '3 min after an undo in the panel: DNS records, 40 domains'],
  ['en', 'provider', 'eve@example.com', '3 min after a change at Cloudflare, eve@example.com: DNS records, 40 domains'],
  ['ru', 'operation', 'Анна', 'Через 3 мин после операции, Анна: DNS-записи, 40 доменов'],
  ['ru', 'provider', 'eve@example.com', 'Через 3 мин после изменения в Cloudflare, eve@example.com: DNS-записи, 40 доменов'],
] as const)(
  'issue 23 in %s a message says that it began after the change of %s by %s, and links to the incident',
  (language, source, actor, line) => {
    const { lines, path } = write(changed({ source, actor }), { texts: textsIn(language), timeZone: 'UTC' })
    expect(lines).toContain(line)
    expect(path).toBe('/monitoring?incident=0191f0a0-0000-7000-8000-000000000001')
  },
)
