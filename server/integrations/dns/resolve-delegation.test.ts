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

describe('R-DET-02 who a domain is delegated to', () => {
  test('names come in lower case, without the last dot, sorted', async () => {
    const address = await serve((name) => (name === 'shop.example' ? ['NS2.Host.Example', 'ns1.host.example'] : null))
    expect(await createDelegation([address]).findNameServers('shop.example')).toEqual(['ns1.host.example', 'ns2.host.example'])
  })
  test('internationalised names are asked for as they are kept, in Punycode', async () => {
    const address = await serve((name) => (name === 'xn--e1afmkfd.xn--p1ai' ? ['ns.example'] : null))
    expect(await createDelegation([address]).findNameServers('xn--e1afmkfd.xn--p1ai')).toEqual(['ns.example'])
  })
  test('a name that does not exist, and one without name servers, have none', async () => {
    const address = await serve((name) => (name === 'there.example' ? [] : null))
    const delegation = createDelegation([address])
    expect(await delegation.findNameServers('not-there.example')).toEqual([])
    expect(await delegation.findNameServers('there.example')).toEqual([])
  })
  test('no answer is no truth, and is not waited for', async () => {
    const address = await serve(() => undefined)
    expect(await createDelegation([address]).findNameServers('silent.example')).toBeNull()
  })
  test('the second server answers where the first is silent', async () => {
    const [silent, speaking] = [await serve(() => undefined), await serve(() => ['ns.example'])]
    expect(await createDelegation([silent, speaking]).findNameServers('shop.example')).toEqual(['ns.example'])
  })
  test.each(['', 'a b.example', `${'x'.repeat(70)}.example`, '\0'])('what is no name (%j) throws nothing', async (name) => {
    const address = await serve(() => null)
    expect([null, []]).toContainEqual(await createDelegation([address]).findNameServers(name))
  })
})
