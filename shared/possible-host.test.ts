import { expect, test } from 'vitest'
import { hasPossibleHost, isPossibleName, webAddress } from './possible-host.ts'

/** Takes half a second to convert to Punycode. */
const slow = Array.from({ length: 10_000 }, (_, at) => String.fromCodePoint(0x4e00 + ((at * 7_919) % 20_000))).join('')
const long = slow.slice(0, 301)

test('a name is possible up to the maximum length of labels and of the whole name in Unicode', () => {
  for (const name of ['example.com', 'пример.рф', '', `${'x'.repeat(63)}.com`, 'a.'.repeat(126), slow.slice(0, 63)])
    expect(isPossibleName(name)).toBe(true)
  for (const name of [long, `a.${long}`, `a。${long}`, 'a.'.repeat(501), slow]) expect(isPossibleName(name)).toBe(false)
})

test.each([
  `http://${long}`,
  `https:${long}`,
  `//${long}/`,
  `\\\\${long}`,
  ` http:\\/${long}?x`,
  `HTTP:////a:b@${long}:80/`,
  `http://${encodeURIComponent(long)}`,
  `http://u:p@x@${long}#`,
  `http:\n//${long}`,
])('a name starting with %.20s has no possible host', (address) => {
  expect(hasPossibleHost(address)).toBe(false)
})

test.each([
  'https://example.com',
  'https://user:password@example.com:8443/path',
  `https://example.com/${long}?${long}#${long}`,
  `https://${encodeURIComponent('пример')}.example/`,
  `/${long}`,
  long,
  `?next=http://${long}`,
  `${long}//x`,
  `/${long}${long}/a:b`,
  `https://${'p'.repeat(300)}@example.com/`,
  'null',
])('%.40s can be a host', (address) => {
  expect(hasPossibleHost(address)).toBe(true)
})

test('a URL is rejected by its length and host before it is converted', () => {
  const issues = (text: string) =>
    webAddress('invalid_url')
      .safeParse(text)
      .error?.issues.map(({ message }) => message) ?? []
  expect(issues('https://пример.рф/путь')).toEqual([])
  expect(issues('ftp://example.com')).toEqual(['invalid_url'])
  expect(issues('example.com')).toEqual(['invalid_url'])
  expect(issues(`https://${long}/`)).toEqual(['invalid_url'])
  expect(issues(`https://example.com/${'x'.repeat(2_048)}`)).toEqual(['too_long'])
  const began = process.threadCpuUsage()
  for (let times = 0; times < 5; times += 1) issues(`https://${slow.slice(0, 2_000)}/`)
  expect(process.threadCpuUsage(began).user / 1_000).toBeLessThan(100)
})

test('the limits of names, labels, hosts and escaped hosts are exact', () => {
  expect([`${'a.'.repeat(499)}aa`, `${'a.'.repeat(499)}aaa`].map(isPossibleName)).toEqual([true, false])
  expect(['a'.repeat(128), 'a'.repeat(129)].map(isPossibleName)).toEqual([true, false])
  const hosts = ['h'.repeat(300), 'h'.repeat(301), '%41'.repeat(900), '%41'.repeat(903)]
  expect(hosts.map((host) => hasPossibleHost(`https://${host}/`))).toEqual([true, false, true, false])
})

test('an address is of HTTP or HTTPS, and has one issue only', () => {
  const issues = (text: string) =>
    webAddress('invalid_url')
      .safeParse(text)
      .error?.issues.map(({ message }) => message) ?? []
  expect(issues('http://example.com')).toEqual([])
  for (const text of ['xhttps://example.com', 'httpsx://example.com', `ftp://${long}/`]) expect(issues(text)).toEqual(['invalid_url'])
  expect(issues(`ftp://example.com/${'x'.repeat(2_048)}`)).toEqual(['too_long'])
})
