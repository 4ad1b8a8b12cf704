import { describe, expect, test } from 'vitest'
import { readLines } from './read-lines.ts'

const known = { accounts: new Map([['ann@example.com', 'account 1']]), groups: new Map([['my shops', 'group 1']]) }
const read = (text: string) => readLines(text, known)

describe('R-DOM-07 a list of new domains', () => {
  test.each([
    'a.com\nb.com',
    'a.com b.com',
    'a.com, b.com',
    'a.com;b.com\r\n',
    '"a.com"\t\'B.com\'',
    'domain\na.com\nb.com',
    '\uFEFFa.com\n\n b.com ',
  ])('%j names two', (text) => {
    const { domains, faults } = read(text)
    expect(domains.map(({ name }) => name)).toEqual(['a.com', 'b.com'])
    expect(faults).toEqual([])
  })

  test('takes an IP address, an account and a group after each name, in any order', () => {
    expect(
      read('domain,ip,account,group\na.com,192.0.2.1,Ann@example.com,My shops\nb.com;my shops;2001:DB8::1\nпример.рф').domains,
    ).toEqual([
      { line: 2, given: 'a.com', name: 'a.com', ipAddress: '192.0.2.1', accountId: 'account 1', groupId: 'group 1' },
      { line: 3, given: 'b.com', name: 'b.com', ipAddress: '2001:db8::1', groupId: 'group 1' },
      { line: 4, given: 'пример.рф', name: 'xn--e1afmkfd.xn--p1ai' },
    ])
  })

  test('reports every invalid line by number and keeps the valid ones', () => {
    const { domains, faults } = read(
      'good.com\nhttps://a.com/\nshop.b.com\nco.uk\nno name\nGOOD.com\nc.com,192.0.2.999\nd.com,bob@example.com\ne.com,Nothing\nwww.f.com\nbob@g.com\nlast.com',
    )
    expect(domains.map(({ line, name }) => [line, name])).toEqual([
      [1, 'good.com'],
      [12, 'last.com'],
    ])
    expect(faults.map(({ line, fault }) => `${line} ${fault}`)).toEqual([
      '2 domain_is_url',
      '3 domain_is_subdomain',
      '4 domain_is_suffix',
      '5 domain_invalid',
      '5 domain_invalid',
      '6 domain_repeated',
      '7 invalid_ip',
      '8 unknown_account',
      '9 unknown_group',
      '10 domain_is_subdomain',
      '11 domain_is_url',
    ])
  })

  test('an IP address after a name and a space belongs to its line', () => {
    const { domains, faults } = read('baz.com 192.0.2.9\nqux.com\t2001:DB8::1\nnic.invalidtld')
    expect(domains.map(({ name, ipAddress }) => [name, ipAddress])).toEqual([
      ['baz.com', '192.0.2.9'],
      ['qux.com', '2001:db8::1'],
    ])
    expect(faults.map(({ line, fault }) => [line, fault])).toEqual([[3, 'domain_not_registrable']])
  })

  test('ten thousand lines are parsed', () => {
    const text = Array.from({ length: 10_000 }, (_, index) => `name-${index}.com,192.0.2.1,ann@example.com,My shops`).join('\n')
    expect(read(text).domains).toHaveLength(10_000)
  })
})
