import { describe, expect, test } from 'vitest'
import { makeVariants, type VariantParts } from './variants.ts'

const make = (parts: Partial<VariantParts>, most = 500) =>
  makeVariants({ words: [], prefixes: [], suffixes: [], numbers: null, separators: [''], zones: ['com'], ...parts }, most)

describe('R-BUY-01 name variants', () => {
  test('combine every word with every zone, plain names before those with additions', () => {
    expect(make({ words: ['coffee', 'tea'], prefixes: ['my'], suffixes: ['shop'], zones: ['com', '.ru'] }).names).toEqual([
      'coffee.com',
      'coffee.ru',
      'tea.com',
      'tea.ru',
      'coffeeshop.com',
      'coffeeshop.ru',
      'teashop.com',
      'teashop.ru',
      'mycoffee.com',
      'mycoffee.ru',
      'mytea.com',
      'mytea.ru',
      'mycoffeeshop.com',
      'mycoffeeshop.ru',
      'myteashop.com',
      'myteashop.ru',
    ])
  })

  test('join the parts, and the words of a part, with separators; a single part gets none', () => {
    expect(make({ words: ['red apple', 'pear'], suffixes: ['shop'], separators: ['', '-'] }).names).toEqual([
      'redapple.com',
      'red-apple.com',
      'pear.com',
      'redappleshop.com',
      'red-apple-shop.com',
      'pearshop.com',
      'pear-shop.com',
    ])
  })

  test('keep leading zeros of numbers', () => {
    expect(make({ words: ['bet'], numbers: { from: '08', to: '11' } }).names).toEqual([
      'bet.com',
      'bet08.com',
      'bet09.com',
      'bet10.com',
      'bet11.com',
    ])
    expect(make({ words: ['bet'], numbers: { from: '3', to: '1' } }).names).toEqual(['bet.com'])
    expect(make({ words: ['bet'], numbers: { from: 'a', to: '9' } }).names).toEqual(['bet.com'])
    for (const from of ['-1', '+1', '1e0', '1.0', ' 1', '0x1'])
      expect(make({ words: ['bet'], numbers: { from, to: '9' } }).names).toEqual(['bet.com'])
  })

  test('ignore surrounding spaces and a dot before a zone; without separators parts are concatenated', () => {
    expect(make({ words: [' red   apple '], prefixes: [' ', 'my '], zones: [' ..com ', 'co.uk', ' ', '.'], separators: [] }).names).toEqual(
      ['redapple.com', 'redapple.co.uk', 'myredapple.com', 'myredapple.co.uk'],
    )
  })

  test('have labels of 1 to 63 characters without a hyphen at either end', () => {
    expect(make({ words: ['x'.repeat(63), 'a', 'я', '-', 'a-', 'a--b', 'क्'] }).names).toEqual([
      `${'x'.repeat(63)}.com`,
      'a.com',
      'я.com',
      'a--b.com',
      'क्.com',
    ])
    expect(make({ words: ['a$', '€b'] }).names).toEqual([])
  })

  test('contain a name that can be made in two ways once', () => {
    expect(make({ words: ['ab', 'a'], suffixes: ['b'] }).names).toEqual(['ab.com', 'a.com', 'abb.com'])
    expect(make({ words: ['ab', 'a'], suffixes: ['b'] }, 3)).toMatchObject({ cut: false })
  })

  test('accept numbers of up to six digits', () => {
    const last = (from: string, to: string) => make({ words: ['bet'], numbers: { from, to } }).names.at(-1)
    expect(last('1', '1')).toBe('bet1.com')
    for (const [from, to] of [
      ['x1', '2'],
      ['1x', '2'],
      ['1', 'x2'],
      ['1', '2x'],
      ['0000001', '0000002'],
      ['1', '1000000'],
    ] as const)
      expect(last(from, to)).toBe('bet.com')
  })

  test('are unique regardless of case, and omit invalid names', () => {
    expect(make({ words: ['Кофе', 'кофе', '-bad', 'a_b', 'x'.repeat(64)], zones: ['рф', 'РФ'] }).names).toEqual(['кофе.рф'])
  })

  test('are empty without words or zones', () => {
    expect(make({ words: [' '] })).toEqual({ names: [], cut: false })
    expect(make({ words: ['coffee'], zones: [] })).toEqual({ names: [], cut: false })
  })

  test('stop at the requested maximum and report that there are more', () => {
    const numbers = { from: '000001', to: '999999' }
    expect(make({ words: ['bet'], numbers }, 500).names).toHaveLength(500)
    expect(make({ words: ['bet'], numbers }, 500).cut).toBe(true)
    expect(make({ words: ['bet'], numbers: { from: '1', to: '2' } }, 3)).toEqual({ names: ['bet.com', 'bet1.com', 'bet2.com'], cut: false })
  })
})
