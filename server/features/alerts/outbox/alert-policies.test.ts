import { expect, test } from 'vitest'
import { groupIncidents } from './group-incidents.policy.ts'
import { isGroup, nextAllowed } from './pace.policy.ts'
import { quietUntil } from '../quiet-hours.policy.ts'
import { textsIn } from './texts.ts'

const at = (text: string) => Date.parse(text)

test('quiet hours can cross midnight and use their own time zone', () => {
  const night = { from: '22:00', to: '07:30', timeZone: 'Europe/Moscow' }
  expect(quietUntil(night, at('2026-03-01T18:59:59Z'))).toBeNull()
  expect(quietUntil(night, at('2026-03-01T19:00:00Z'))).toBe(at('2026-03-02T04:30:00Z'))
  expect(quietUntil(night, at('2026-03-02T04:29:30Z'))).toBe(at('2026-03-02T04:30:00Z'))
  expect(quietUntil(night, at('2026-03-02T04:30:00Z'))).toBeNull()
  expect(quietUntil({ ...night, from: '07:30' }, at('2026-03-01T19:00:00Z'))).toBeNull()
  expect(quietUntil(null, 0)).toBeNull()
})

test('quiet hours within one day start and end to the minute, and cannot be empty or a whole day', () => {
  const noon = { from: '12:05', to: '14:10', timeZone: 'UTC' }
  const end = at('2026-03-01T14:10:00Z')
  expect(quietUntil(noon, at('2026-03-01T12:04:59Z'))).toBeNull()
  expect(quietUntil(noon, at('2026-03-01T12:05:00Z'))).toBe(end)
  expect(quietUntil(noon, at('2026-03-01T14:09:59Z'))).toBe(end)
  expect(quietUntil(noon, at('2026-03-01T14:10:00Z'))).toBeNull()
  expect(quietUntil({ from: '12:05', to: '12:05', timeZone: 'UTC' }, at('2026-03-01T12:05:00Z'))).toBeNull()
  expect(quietUntil({ from: '00:01', to: '00:00', timeZone: 'UTC' }, at('2026-03-01T00:01:30Z'))).toBe(at('2026-03-02T00:00:00Z'))
})

test('a chat receives one message a second, a group twenty a minute, and both wait as long as Telegram asks', () => {
  const none = { sentAt: [], blockedUntil: null }
  const minute = { sentAt: Array.from({ length: 20 }, (_, second) => second * 1_100), blockedUntil: null }
  expect(nextAllowed({ sentAt: [5_000], blockedUntil: null }, none, false)).toBe(6_050)
  expect(nextAllowed(minute, none, false)).toBe(19 * 1_100 + 1_050)
  expect(nextAllowed(minute, none, true)).toBe(60_500)
  expect(nextAllowed(none, { sentAt: [], blockedUntil: 99_000 }, true)).toBe(99_000)
  expect(nextAllowed({ sentAt: [], blockedUntil: 98_000 }, none, true)).toBe(98_000)
  expect(nextAllowed(none, none, true)).toBe(0)
  expect(['-100', '@news', '100', '10-0', '1@'].map(isGroup)).toEqual([true, true, false, false, false])
})

test('R-I18-03 a duration has its two largest units, and counts use the right plural form', () => {
  const [ru, en] = [textsIn('ru'), textsIn('en')]
  expect([0, 45_000, 3_600_000, 3_725_000, 90_061_000].map((ms) => en.length(ms))).toEqual(['0 s', '45 s', '1 h', '1 h 2 min', '1 d 1 h'])
  expect([1, 2, 5, 21].map((count) => ru.say('opened.critical_many', { count }))).toEqual([
    'Не работает 1 домен',
    'Не работают 2 домена',
    'Не работают 5 доменов',
    'Не работает 21 домен',
  ])
  expect([1, 2, 5, 21].map((count) => ru.say('closed.part', { count, of: 31 }))).toEqual([
    'Снова работает 1 из 31',
    'Снова работают 2 из 31',
    'Снова работают 5 из 31',
    'Снова работает 21 из 31',
  ])
})

test('R-MON-04 a message about many domains shows no figure of a single one', () => {
  const soon = (name: string, days: number) => ({
    id: name,
    domainId: name,
    groupId: null,
    name,
    health: 'warnings' as const,
    reasons: [{ code: 'cert_expires_soon' as const, params: { days, issuer: 'R11' }, regions: [] }],
    cause: 'code:cert_expires_soon',
    openedAt: new Date(0),
    closedAt: null,
    worse: false,
    more: false,
  })
  const paramsOf = (days: readonly number[]) =>
    groupIncidents(
      days.map((left, at) => soon(`${at}.example`, left)),
      new Map(),
      { takenAt: new Date(0), all: false },
    ).map(({ reasons }) => reasons.map(({ params }) => params))
  expect(paramsOf([6, 6])).toEqual([[{ days: 6, issuer: 'R11' }]])
  expect(paramsOf([6, 12, 6])).toEqual([[{ issuer: 'R11' }]])
})
