import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { shareLevels } from '#shared/features/sharing/rules.ts'
import { languages } from '#shared/i18n/languages.ts'
import { choiceOf, detailChoices } from './choice-of.ts'

const words = z.record(z.string(), z.string())
const read = (language: string, name: string): unknown => JSON.parse(readFileSync(`shared/i18n/locales/${language}/${name}.json`, 'utf8'))

test.each(languages)('R-LOG-01 every value of a few has words (%s), not the word of the program', (language) => {
  const { values } = z.object({ values: words }).parse(read(language, 'activity'))
  const { shared } = z.object({ shared: z.object({ level: words }) }).parse(read(language, 'common'))
  const told = [
    ...Object.values(detailChoices)
      .flat()
      .map((value) => values[value]),
    ...shareLevels.map((level) => shared.level[level]),
  ]
  for (const text of told) expect(text).toMatch(language === 'ru' ? /[а-яё]/iu : /\S/)
  expect(shareLevels).not.toContain(shared.level['manage'])
})

test('a name or a text that is the same as such a value stays what it is', () => {
  expect(choiceOf('scope', 'write')).toBe('write')
  expect(choiceOf('name', 'write')).toBeNull()
  expect(choiceOf('description', 'all')).toBeNull()
  expect(choiceOf('role', { from: 'admin' })).toBeNull()
})
