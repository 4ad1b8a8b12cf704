import { expect, test } from 'vitest'
import en from '#shared/i18n/locales/en/operations.json' with { type: 'json' }
import { ownCodes } from './item-codes.ts'

test('every code of an item that has a text is shown with it', () => {
  // It stands for all other codes of records.
  const { record_unfit: _unfit, ...texts } = en.codes
  expect(ownCodes.toSorted()).toEqual(Object.keys(texts).toSorted())
})
