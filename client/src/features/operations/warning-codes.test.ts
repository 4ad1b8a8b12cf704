import { expect, test } from 'vitest'
import en from '#shared/i18n/locales/en/operations.json' with { type: 'json' }
import { ownWarnings } from './warning-codes.ts'

test('every warning that has a text is shown with it', () => {
  const { other: _other, ...texts } = en.dangers
  expect(ownWarnings.toSorted()).toEqual(Object.keys(texts).toSorted())
})
