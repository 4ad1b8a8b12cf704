import { expect, test } from 'vitest'
import { conflictOf, isSameRecord } from './conflict.ts'

const zone = 'example.com'
const record = (type: string, content: string, change: object = {}) => ({ type, name: 'www.example.com', content, ...change })
const address = record('A', '192.0.2.1')
const alias = record('CNAME', 'example.net')
const mail = record('MX', 'mail.example.net', { priority: 10 })

test('records are the same by type, name, priority and canonical content', () => {
  expect(isSameRecord(mail, { ...mail, content: 'Mail.Example.net.' }, zone)).toBe(true)
  expect(isSameRecord(address, { ...address, priority: null }, zone)).toBe(true)
  expect(isSameRecord({ ...address, priority: null }, address, zone)).toBe(true)
  for (const other of [
    { ...mail, type: 'NS' },
    { ...mail, name: 'example.com' },
    { ...mail, priority: 20 },
    { ...mail, priority: null },
    { ...mail, content: 'mx.example.net' },
  ]) {
    expect(isSameRecord(mail, other, zone)).toBe(false)
    expect(isSameRecord(other, mail, zone)).toBe(false)
  }
})

test.each([
  ['the same record', address, address, 'record_there'],
  ['an address beside an alias', address, alias, 'record_cname_there'],
  ['an address of IPv6 beside an alias', record('AAAA', '2001:db8::1'), alias, 'record_cname_there'],
  ['an alias beside an alias', record('CNAME', 'example.org'), alias, 'record_cname_there'],
  ['an alias beside an address', alias, address, 'record_name_taken'],
  ['an alias beside an address of IPv6', alias, record('AAAA', '2001:db8::1'), 'record_name_taken'],
  ['an alias beside mail', alias, mail, null],
  ['mail beside an alias', mail, alias, null],
  ['an address beside another', record('A', '192.0.2.2'), address, null],
  ['an address beside one of IPv6', address, record('AAAA', '2001:db8::1'), null],
  ['an address beside an alias of another name', address, { ...alias, name: 'shop.example.com' }, null],
  ['an alias beside an address of another name', alias, { ...address, name: 'shop.example.com' }, null],
])('%s: %s', (_what, one, there, conflict) => {
  expect(conflictOf(one, [record('TXT', 'x'), there], zone)).toBe(conflict)
})
