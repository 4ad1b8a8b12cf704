import { expect, test, vi } from 'vitest'
import { noChoices } from './offers.ts'
import { packChoices, unpackChoices } from './pack-choices.ts'
import { readTab, writeTab } from './tab-storage.ts'

test('choices survive a reload', () => {
  const kept = new Map<string, string>()
  vi.stubGlobal('sessionStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => kept.set(key, value),
    removeItem: (key: string) => kept.delete(key),
  })
  const choices = {
    all: false,
    included: new Map([['a.com', true]]),
    picks: new Map([['a.com', { registrarId: 'one', agreed: { minor: 9_000, currency: 'USD' } }]]),
  }
  writeTab('draft', { choices: packChoices(choices) })
  expect(unpackChoices((readTab('draft') as { choices: unknown }).choices)).toEqual(choices)
  writeTab('draft', null)
  expect(readTab('draft')).toBeNull()
  kept.set('zonedeck.buying.draft', 'no JSON')
  expect(readTab('draft')).toBeNull()
})

test('a tab without storage access still works', () => {
  vi.stubGlobal('sessionStorage', {
    getItem: () => {
      throw new Error('denied')
    },
    setItem: () => {
      throw new Error('denied')
    },
  })
  expect(readTab('draft')).toBeNull()
  expect(() => writeTab('draft', {})).not.toThrow()
})

test.each([null, 7, {}, { all: true }, { all: true, included: [1], picks: [] }])('invalid stored choices (%j) are ignored', (packed) => {
  expect(unpackChoices(packed)).toEqual(noChoices)
})
