import { describe, expect, test } from 'vitest'
import { readNames } from './read-names.ts'

describe('R-BUY-01 a list of names to buy', () => {
  test.each(['a.com\nb.com', 'a.com b.com', 'A.com, b.com', 'a.com;b.com\r\n', '"a.com"\t\'b.com\'', '\uFEFFa.com\n\n b.com '])(
    '%j names two',
    (text) => {
      const { names, faults } = readNames(text)
      expect(names.map(({ name }) => name)).toEqual(['a.com', 'b.com'])
      expect(faults).toEqual([])
    },
  )

  test('reports every invalid line by number and keeps the valid ones', () => {
    const { names, faults } = readNames('good.com\nhttps://a.com/\nshop.b.com\nco.uk\nпример.рф coffee\nGOOD.com\nlast.com')
    expect(names.map(({ line, given, name }) => [line, given, name])).toEqual([
      [1, 'good.com', 'good.com'],
      [5, 'пример.рф', 'xn--e1afmkfd.xn--p1ai'],
      [7, 'last.com', 'last.com'],
    ])
    expect(faults.map(({ line, fault }) => `${line} ${fault}`)).toEqual([
      '2 domain_is_url',
      '3 domain_is_subdomain',
      '4 domain_is_suffix',
      '5 domain_invalid',
      '6 domain_repeated',
    ])
  })
})
