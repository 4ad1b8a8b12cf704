import { describe, expect, test } from 'vitest'
import { createOutboundGuard, OutboundRefused } from './outbound-guard.ts'

const privateIpv4 = [
  '127.0.0.1',
  '127.8.8.8',
  '0.0.0.0',
  '0.1.2.3',
  '10.0.0.1',
  '172.16.0.1',
  '192.168.1.1',
  '169.254.169.254',
  '100.64.0.1',
  '192.0.0.1',
  '192.0.2.1',
  '198.18.0.1',
  '198.51.100.1',
  '203.0.113.1',
  '224.0.0.1',
  '240.0.0.1',
  '255.255.255.255',
]
const privateIpv6 = [
  '::',
  '::1',
  '::ffff:127.0.0.1',
  '::ffff:7f00:1',
  '::127.0.0.1',
  '64:ff9b::7f00:1',
  '2002:7f00:1::',
  '2001::1',
  'fe80::1',
  'fe80::1%eth0',
  'fc00::1',
  'fd12:3456::1',
  'fec0::1',
  'ff02::1',
  '2001:db8::1',
  '100::1',
  '5f00::1',
  '4000::1',
]
const noAddresses = ['', 'localhost', 'example.com', '127.1', '0x7f000001', '2130706433', '0177.0.0.1', '8.8.8.8:80', '[::1]', ' 8.8.8.8']

describe('public addresses', () => {
  test.each(['8.8.8.8', '104.16.1.1', '2606:4700::1111', '2a00:1450:4010::64', '::ffff:8.8.8.8'])('%s is public', (address) => {
    expect(createOutboundGuard([]).allows(address)).toBe(true)
  })
  test.each([...privateIpv4, ...privateIpv6, ...noAddresses])('%j is not public', (address) => {
    expect(createOutboundGuard([]).allows(address)).toBe(false)
  })
  test('only the private addresses that the operator allows are reachable', () => {
    const guard = createOutboundGuard(['10.1.0.0/16', 'fd00:1::/32', '127.0.0.1/32'])
    const seen = ['10.1.2.3', '10.2.0.1', 'fd00:1::5', 'fd00:2::5', '127.0.0.1', '127.0.0.2', '::ffff:10.1.2.3', '::1'].filter(guard.allows)
    expect(seen).toEqual(['10.1.2.3', 'fd00:1::5', '127.0.0.1', '::ffff:10.1.2.3'])
  })
  test.each([
    '169.254.169.254',
    '169.254.170.2',
    '169.254.0.23',
    '169.254.42.42',
    '168.63.129.16',
    '100.100.100.200',
    '192.0.0.192',
    'fe80::1',
    'fe80::a9fe:a9fe%eth0',
    'febf::1',
    'fd00:ec2::254',
    'fd00:ec2::23',
    'fd20:ce::254',
    'fd00:c1::a9fe:a9fe',
    'fd00:42::42',
    'fd00:a9fe:a9fe::1',
    'fd00:100::100:200',
    '::ffff:169.254.169.254',
    '::ffff:a83f:8110',
    '64:ff9b::a9fe:a9fe',
    '64:ff9b::6464:64c8',
    '64:ff9b:1::a9fe:a9fe',
    '2002:a9fe:a9fe::1',
    '2002:a83f:8110::',
    '::a9fe:a9fe',
    '::169.254.169.254',
  ])('a cloud metadata service at %s is never reachable, even if the operator allows it', (address) => {
    for (const allow of [[], ['0.0.0.0/0', '::/0'], ['169.254.0.0/16', '100.64.0.0/10', 'fd00::/8', 'fe80::/10', '64:ff9b::/96']]) {
      expect(createOutboundGuard(allow).allows(address)).toBe(false)
    }
  })
  test('an exception for one port applies to that port only', () => {
    const guard = createOutboundGuard(['127.0.0.1/32:4010', '127.0.0.1/32:4011', 'fd00::/8:443'])
    expect([4_010, 4_011, 4_012, 80, undefined].filter((port) => guard.allows('127.0.0.1', port))).toEqual([4_010, 4_011])
    expect([443, 80].filter((port) => guard.allows('fd00::1', port))).toEqual([443])
    expect(guard.allows('8.8.8.8', 4_012)).toBe(true)
  })
  test('addresses besides metadata services can be allowed, also in NAT64 form', () => {
    const guard = createOutboundGuard(['0.0.0.0/0', '::/0'])
    for (const address of [
      '169.253.255.255',
      '168.63.129.17',
      '100.100.100.201',
      'fd00:ec3::254',
      '64:ff9b::808:808',
      '2002:808:808::1',
      '10.0.0.1',
    ]) {
      expect(guard.allows(address)).toBe(true)
    }
  })
})

describe('names are resolved, and every address is checked', () => {
  const lookUp = (allow: readonly string[], all: boolean) =>
    new Promise<unknown>((resolve) => {
      createOutboundGuard(allow).lookupFor(80)('localhost', { all, family: 4 }, (error, address) => resolve(error ?? address))
    })
  test('a name that resolves to this machine is refused', async () => {
    expect(await lookUp([], true)).toBeInstanceOf(OutboundRefused)
    expect(await lookUp([], false)).toBeInstanceOf(OutboundRefused)
  })
  test('a name that resolves to this machine is accepted if that is allowed', async () => {
    expect(await lookUp(['127.0.0.0/8'], false)).toBe('127.0.0.1')
    expect(await lookUp(['127.0.0.0/8'], true)).toEqual([{ address: '127.0.0.1', family: 4 }])
  })

  const resolved = (
    addresses: readonly string[],
    { error = null, allow = [], port = 443 }: { error?: NodeJS.ErrnoException | null; allow?: readonly string[]; port?: number } = {},
  ) =>
    new Promise<unknown>((resolve) => {
      const found = addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))
      const guard = createOutboundGuard(allow, 'public', (_hostname, _options, callback) => callback(error, found))
      guard.lookupFor(port)('some.example', {}, (failure, address) => resolve(failure ?? address))
    })
  test('one private address among several is enough to refuse, in any position', async () => {
    expect(await resolved(['8.8.8.8', '2606:4700::1111'])).toBe('8.8.8.8')
    expect(await resolved(['10.0.0.1', '8.8.8.8'])).toBeInstanceOf(OutboundRefused)
    expect(await resolved(['8.8.8.8', '10.0.0.1'])).toBeInstanceOf(OutboundRefused)
    expect(await resolved(['8.8.8.8', '1.1.1.1', '169.254.169.254'])).toBeInstanceOf(OutboundRefused)
    expect(await resolved(['8.8.8.8', '::1'])).toBeInstanceOf(OutboundRefused)
  })
  test('a missing name is refused with the same error as a name with private addresses', async () => {
    const inside = await resolved(['10.0.0.1'])
    const missing = await resolved([], { error: Object.assign(new Error('getaddrinfo ENOTFOUND'), { code: 'ENOTFOUND' }) })
    expect(missing).toEqual(inside)
    expect(String(missing)).toBe('OutboundRefused: some.example has no public address')
  })
  test('a resolver that does not respond is reported as such', async () => {
    const failure = Object.assign(new Error('getaddrinfo EAI_AGAIN'), { code: 'EAI_AGAIN' })
    expect(await resolved([], { error: failure })).toBe(failure)
  })
  test('a name that resolves to a private address is accepted on the allowed port only', async () => {
    const allow = ['10.0.0.5/32:8443']
    expect(await resolved(['10.0.0.5'], { allow, port: 8_443 })).toBe('10.0.0.5')
    expect(await resolved(['10.0.0.5'], { allow, port: 443 })).toBeInstanceOf(OutboundRefused)
  })
})

test('in allow-list-only mode a public address is refused too', () => {
  const guard = createOutboundGuard(['10.1.0.0/16'], 'none')
  expect(['10.1.2.3', '8.8.8.8', '2606:4700::1111'].filter(guard.allows)).toEqual(['10.1.2.3'])
})
