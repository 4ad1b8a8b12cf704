import { expect, test } from 'vitest'
import { causes } from '#shared/features/monitoring/cause.ts'
import { criticalChange } from '#shared/features/provider-changes/schema.ts'
import type { MessageBody } from './message.ts'
import { textsIn } from './texts.ts'
import { write } from './write-message.ts'

const body = (kinds: readonly string[], worse: boolean) =>
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
    worse,
    reasons: kinds.map((kind) => ({
      code: 'changed_outside',
      regions: [],
      params: { kind, changes: 2, names: 'shop.example', actors: 'colleague@example.com' },
    })),
  }) satisfies MessageBody

test.each(['en', 'ru'])('critical changes outside the panel are named with what, where and who, in %s', (language) => {
  const texts = textsIn(language)
  for (const kind of criticalChange.options) {
    const { lines, acts } = write(body([kind], false), { texts, timeZone: 'UTC' })
    expect(lines[0]).toMatch(/^🔴 .*shop@example\.com$/)
    expect(lines.join('\n')).toMatch(/\(.+: shop\.example · .*colleague@example\.com\)/)
    expect(lines.join('\n')).not.toContain('{{')
    expect(acts).toContain('ack')
  }
  // Further changes are reported, but nothing got worse.
  const again = write(body(['zone_removed'], true), { texts, timeZone: 'UTC' })
  expect(again.lines).not.toContain(texts.say('opened.worse'))
})
