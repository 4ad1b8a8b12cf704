import { afterEach, describe, expect, test } from 'vitest'
import { startDnsSimulator } from '#server/simulators/dns.ts'
import type { DnsSimulator, Registry } from '#server/simulators/dns.ts'
import { createDelegation } from './resolve-delegation.ts'

const open: DnsSimulator[] = []
afterEach(async () => {
  for (const server of open.splice(0)) await server.close()
})
async function serve(registry: Registry): Promise<string> {
  const server = await startDnsSimulator(registry)
  open.push(server)
  return server.address
}

describe('R-DET-02 the delegation of a domain', () => {
  test('name servers are lower case, without the trailing dot, sorted', async () => {
    const address = await serve((name) => (name === 'shop.example' ? ['NS2.Host.Example', 'ns1.host.example'] : null))
    expect(await createDelegation([address]).findNameServers('shop.example')).toEqual(['ns1.host.example', 'ns2.host.example'])
  })
  test('internationalized names are looked up in Punycode, as stored', async () => {
    const address = await serve((name) => (name === 'xn--e1afmkfd.xn--p1ai' ? ['ns.example'] : null))
    expect(await createDelegation([address]).findNameServers('xn--e1afmkfd.xn--p1ai')).toEqual(['ns.example'])
  })
  test('a missing name, and one without name servers, have no name servers', async () => {
    const address = await serve((name) => (name === 'there.example' ? [] : null))
    const delegation = createDelegation([address])
    expect(await delegation.findNameServers('not-there.example')).toEqual([])
    expect(await delegation.findNameServers('there.example')).toEqual([])
  })
  test('a look-up without an answer is unknown and ends soon', async () => {
    const address = await serve(() => undefined)
    expect(await createDelegation([address]).findNameServers('silent.example')).toBeNull()
  })
  test('the second server is used if the first does not respond', async () => {
    const [silent, speaking] = [await serve(() => undefined), await serve(() => ['ns.example'])]
    expect(await createDelegation([silent, speaking]).findNameServers('shop.example')).toEqual(['ns.example'])
  })
  test.each(['', 'a b.example', `${'x'.repeat(70)}.example`, '\0'])('an invalid name (%j) does not throw', async (name) => {
    const address = await serve(() => null)
    expect([null, []]).toContainEqual(await createDelegation([address]).findNameServers(name))
  })
})
