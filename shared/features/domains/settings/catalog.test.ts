import { expect, test } from 'vitest'
import { settingCatalog, settingKeys } from './catalog.ts'
import { settingsPatch } from './schema.ts'

test('R-DET-03 every setting that can be changed has a row with its own id', () => {
  expect(settingKeys.toSorted()).toEqual(Object.keys(settingsPatch.shape).toSorted())
  expect(new Set(settingKeys.map((key) => settingCatalog[key].id)).size).toBe(settingKeys.length)
})

test('certificates are sent before the settings that depend on them', () => {
  const at = (key: keyof typeof settingCatalog) => settingKeys.indexOf(key)
  expect(at('universalSsl')).toBeLessThan(at('ssl'))
  expect(at('ssl')).toBeLessThan(at('alwaysUseHttps'))
  expect(at('alwaysUseHttps')).toBeLessThan(at('hsts'))
})
