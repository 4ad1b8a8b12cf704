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
  ['an A record beside a CNAME', address, alias, 'record_cname_there'],
  ['an AAAA record beside a CNAME', record('AAAA', '2001:db8::1'), alias, 'record_cname_there'],
  ['a CNAME beside a CNAME', record('CNAME', 'example.org'), alias, 'record_cname_there'],
  ['a CNAME beside an A record', alias, address, 'record_name_taken'],
  ['a CNAME beside an AAAA record', alias, record('AAAA', '2001:db8::1'), 'record_name_taken'],
  ['a CNAME beside an MX record', alias, mail, null],
  ['an MX record beside a CNAME', mail, alias, null],
  ['an A record beside another', record('A', '192.0.2.2'), address, null],
  ['an A record beside an AAAA record', address, record('AAAA', '2001:db8::1'), null],
  ['an A record beside a CNAME of another name', address, { ...alias, name: 'shop.example.com' }, null],
  ['a CNAME beside an A record of another name', alias, { ...address, name: 'shop.example.com' }, null],
])('%s: %s', (_what, one, there, conflict) => {
  expect(conflictOf(one, [record('TXT', 'x'), there], zone)).toBe(conflict)
})
