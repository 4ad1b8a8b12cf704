import { expect, test } from 'vitest'
import en from '#shared/i18n/locales/en/reasons.json' with { type: 'json' }
import ru from '#shared/i18n/locales/ru/reasons.json' with { type: 'json' }
import { isCheckWarning, reasonCodes, reasonRow } from './reasons.ts'

test('every reason, and no other key, has a text and advice in both languages', () => {
  for (const texts of [en, ru]) {
    expect(Object.keys(texts).toSorted()).toEqual(reasonCodes.toSorted())
    for (const code of reasonCodes) expect([code, texts[code].what === '', texts[code].advice === '']).toEqual([code, false, false])
  }
})

test('R-MON-03 a failed check takes a domain down unless it is only a warning', () => {
  const warnings = reasonCodes.filter(isCheckWarning)
  expect(warnings).toEqual(['name_servers_elsewhere', 'address_mismatch', 'cert_expires_soon', 'slow'])
  expect(reasonCodes.filter((code) => reasonRow(code).source === 'check' && !warnings.includes(code))).toHaveLength(18)
})

test('only a reason that takes a domain down is attributed to its origin or to a late process', () => {
  const explained = reasonCodes.map(reasonRow).filter(({ origin, isDelay }) => origin !== undefined || isDelay === true)
  expect(new Set(explained.map(({ source, severity }) => `${source} ${severity}`))).toEqual(new Set(['check critical']))
})
