import { expect, test } from 'vitest'
import { reasonDetail } from './reason-detail.ts'
import en from './locales/en/reasons.json' with { type: 'json' }
import ru from './locales/ru/reasons.json' with { type: 'json' }

const of = (texts: Readonly<Record<string, string>>) => (form: string) => texts[`detail${form}`]

test('R-I18-03 days in a reason use the plural forms of the language', () => {
  const inRussian = [1, 2, 5, 21].map((days) => reasonDetail(of(ru.cert_expires_soon), 'ru-RU', { days }))
  expect(inRussian).toEqual(['остался 1 день', 'осталось 2 дня', 'осталось 5 дней', 'остался 21 день'])
  expect(reasonDetail(of(ru.domain_expired), 'ru-RU', { days: 2 })).toBe('2 дня назад')
  expect([1, 10].map((days) => reasonDetail(of(en.cert_expired), 'en-US', { days }))).toEqual(['1 day ago', '10 days ago'])
})

test('a detail with an unknown value is omitted', () => {
  expect(reasonDetail(of(en.address_mismatch), 'en-US', { found: '192.0.2.1', expected: '' })).toBeNull()
  expect(reasonDetail(of(en.cert_expired), 'en-US', {})).toBeNull()
  expect(
    reasonDetail(of(en.address_mismatch), 'en-US', { found: '{{expected}}', expected: '192.0.2.2' }, (_, value) => `<${String(value)}>`),
  ).toBe('<{{expected}}> instead of <192.0.2.2>')
})

test('a date is written in the language', () => {
  const params = { date: '2026-11-27', before: '4,000', percent: 20 }
  expect(reasonDetail(of(en.traffic_dropped), 'en-US', params)).toBe(
    'none since November 27, before at least 4,000 on this day of the week',
  )
  expect(reasonDetail(of(ru.traffic_dropped), 'ru-RU', params)).toBe('с 27 ноября их нет, раньше в этот день недели — не меньше 4,000')
  expect(reasonDetail(of(en.traffic_server_errors), 'en-US', { ...params, date: '2026-99-99' })).toBe('20 % on 2026-99-99')
})
