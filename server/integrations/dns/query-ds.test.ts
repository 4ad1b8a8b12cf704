import { afterEach, describe, expect, test } from 'vitest'
import { startDnsSimulator } from '#server/simulators/dns.ts'
import type { DnsFault, DnsSimulator, DsRecord } from '#server/simulators/dns.ts'
import { dsQuery, readDsReply } from './ds-message.ts'
import { createDelegation } from './resolve-delegation.ts'

const open: DnsSimulator[] = []
afterEach(async () => {
  for (const server of open.splice(0)) await server.close()
})
const first: DsRecord = {
  keyTag: 2371,
  algorithm: 13,
  digestType: 2,
  digest: '15E445BD08128BDC213E25F1C8227DF4CB35186CAC701C1C335B2C406D5530DC',
}
const second: DsRecord = { keyTag: 65_535, algorithm: 8, digestType: 4, digest: 'AB'.repeat(48) }

async function serve(answer: readonly DsRecord[] | null | undefined, fault: DnsFault | null = null): Promise<string> {
  const server = await startDnsSimulator(() => ['ns.example'], { dsRecords: () => answer, faultOf: () => fault })
  open.push(server)
  return server.address
}
/** The simulator's TTL. */
const ttlSeconds = 300
async function find(servers: readonly string[], name = 'shop.example'): Promise<DsRecord[] | null> {
  const found = await createDelegation(servers).findDsRecords(name)
  expect(found?.every((each) => each.ttlSeconds === ttlSeconds)).not.toBe(false)
  return found?.map(({ keyTag, algorithm, digestType, digest }) => ({ keyTag, algorithm, digestType, digest })) ?? null
}

describe('the DS records of a domain in public DNS', () => {
  test('all of them are found with their parts', async () => {
    expect(await find([await serve([first, second])])).toEqual([first, second])
  })
  test('a name without any, and a missing name, have none', async () => {
    expect(await find([await serve([])])).toEqual([])
    expect(await find([await serve(null)])).toEqual([])
  })
  test('an answer that is too long for UDP comes over TCP', async () => {
    expect(await find([await serve([first], 'truncated')])).toEqual([first])
  })
  test('forged answers are ignored, and the right one after them is found', async () => {
    expect(await find([await serve([first], 'spoofed')])).toEqual([first])
  })
  test.each(['servfail', 'refused', 'garbage', 'other-question', 'other-number', 'truncated-silent'] as const)(
    'a server that fails (%s) is unknown, never ‘none’, and the next one is asked',
    async (fault) => {
      const failing = await serve([first], fault)
      expect(await find([failing])).toBeNull()
      if (fault !== 'truncated-silent') expect(await find([failing, await serve([second])])).toEqual([second])
    },
  )
  test('a server that does not respond is unknown, and the next one is asked', async () => {
    const silent = await serve(undefined)
    expect(await find([silent, await serve([first])])).toEqual([first])
    expect(await find([silent])).toBeNull()
    expect(await find(['127.0.0.1:9'])).toBeNull()
  })
  test.each(['', 'a b.example', 'a..example', `${'x'.repeat(70)}.example`, `${'x.'.repeat(130)}example`, '\0'])(
    'an impossible name (%j) is not sent',
    async (name) => expect(await find([await serve([first])], name)).toBeNull(),
  )
})

test('an answer cut anywhere is a failure or not an answer, never a record', () => {
  const query = dsQuery('shop.example', 77) ?? Buffer.alloc(0)
  const header = Buffer.from(query.subarray(0, 12))
  header.writeUInt16BE(0x8180, 2)
  header.writeUInt16BE(1, 6)
  const data = Buffer.concat([Buffer.from([0, 7, 13, 2]), Buffer.from(first.digest, 'hex')])
  const record = Buffer.from([0xc0, 12, 0, 43, 0, 1, 0, 0, 1, 44, 0, data.length])
  const whole = Buffer.concat([header, query.subarray(12), record, data])
  expect(readDsReply(query, whole)).toEqual({ kind: 'found', records: [{ ...first, keyTag: 7, ttlSeconds }] })
  for (let length = 0; length < whole.length; length += 1)
    expect(['failed', 'other']).toContain(readDsReply(query, whole.subarray(0, length)).kind)
})
