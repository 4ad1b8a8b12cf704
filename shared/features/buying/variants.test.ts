import { describe, expect, test } from 'vitest'
import { makeVariants, type VariantParts } from './variants.ts'

const make = (parts: Partial<VariantParts>, most = 500) =>
  makeVariants({ words: [], prefixes: [], suffixes: [], numbers: null, separators: [''], zones: ['com'], ...parts }, most)

describe('R-BUY-01 variants of names', () => {
  test('every word in every zone, alone before what is added to it', () => {
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

  test('separators join the parts, and the parts of a word; without parts they add nothing', () => {
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

  test('numbers keep their zeros', () => {
    expect(make({ words: ['bet'], numbers: { from: '08', to: '11' } }).names).toEqual([
      'bet.com',
      'bet08.com',
      'bet09.com',
      'bet10.com',
      'bet11.com',
    ])
    expect(make({ words: ['bet'], numbers: { from: '3', to: '1' } }).names).toEqual(['bet.com'])
    expect(make({ words: ['bet'], numbers: { from: 'a', to: '9' } }).names).toEqual(['bet.com'])
  })

  test('each name once, whatever its letters; what is no name is left out', () => {
    expect(make({ words: ['Кофе', 'кофе', '-bad', 'a_b', 'x'.repeat(64)], zones: ['рф', 'РФ'] }).names).toEqual(['кофе.рф'])
  })

  test('nothing of nothing', () => {
    expect(make({ words: [' '] })).toEqual({ names: [], cut: false })
    expect(make({ words: ['coffee'], zones: [] })).toEqual({ names: [], cut: false })
  })

  test('ends at the most that are asked for, and says that there were more', () => {
    const numbers = { from: '000001', to: '999999' }
    expect(make({ words: ['bet'], numbers }, 500).names).toHaveLength(500)
    expect(make({ words: ['bet'], numbers }, 500).cut).toBe(true)
    expect(make({ words: ['bet'], numbers: { from: '1', to: '2' } }, 3)).toEqual({ names: ['bet.com', 'bet1.com', 'bet2.com'], cut: false })
  })
})
