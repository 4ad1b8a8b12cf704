import { expect, test } from 'vitest'
import { shareLevels } from '#shared/features/sharing/rules.ts'
import en from '#shared/i18n/locales/en/activity.json' with { type: 'json' }
import enCommon from '#shared/i18n/locales/en/common.json' with { type: 'json' }
import ru from '#shared/i18n/locales/ru/activity.json' with { type: 'json' }
import ruCommon from '#shared/i18n/locales/ru/common.json' with { type: 'json' }
import { choiceOf, detailChoices } from './choice-of.ts'

test('R-LOG-01 every value of a few has words in both languages, not the word of the program', () => {
  for (const words of [en.values, ru.values]) {
    const told: Readonly<Record<string, string>> = words
    for (const value of Object.values(detailChoices).flat()) expect(told[value]).toMatch(/\S/)
  }
  for (const value of Object.values(detailChoices).flat()) expect(new Map(Object.entries(ru.values)).get(value)).toMatch(/[а-яё]/iu)
  for (const { shared } of [enCommon, ruCommon]) for (const level of shareLevels) expect(shared.level[level]).not.toBe(level)
})

test('a name or a text that is the same as such a value stays what it is', () => {
  expect(choiceOf('scope', 'write')).toBe('write')
  expect(choiceOf('name', 'write')).toBeNull()
  expect(choiceOf('description', 'all')).toBeNull()
  expect(choiceOf('role', { from: 'admin' })).toBeNull()
})
