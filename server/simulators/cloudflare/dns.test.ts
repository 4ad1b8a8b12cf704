import { afterEach, beforeEach, describe, expect, test } from 'vitest'

import { field, startTestSimulator } from '#server/testing/cloudflare-simulator.ts'

let running: Awaited<ReturnType<typeof startTestSimulator>>
let base: string
let zoneName: string
beforeEach(async () => {
  running = await startTestSimulator({ world: { recordsPerZone: 20 } })
  const zone = running.zones[0]
  base = `/zones/${zone?.id ?? ''}/dns_records`
  zoneName = zone?.name ?? ''
})
afterEach(() => running.simulator.close())

const list = async (query = '') => (await running.call('GET', `${base}${query}`)).result
const post = (body: unknown) => running.call('POST', base, { body })
const batch = (body: unknown) => running.call('POST', `${base}/batch`, { body })
const ids = async (): Promise<string[]> => [field(await list(), 'id')].flat().map(String)

describe('records', () => {
  test('an unmodified zone reads the same every time and uses no memory', async () => {
    const first = await list()
    expect(first).toHaveLength(20)
    expect(await list()).toEqual(first)
    expect(running.zones.every((zone) => zone.changes === null)).toBe(true)
  })

  test('pages hold 100 records by default, from 5 to 5,000,000', async () => {
    expect((await running.call('GET', base)).info).toMatchObject({ per_page: 100, total_count: 20 })
    expect((await running.call('GET', `${base}?per_page=5000000`)).status).toBe(200)
    expect((await running.call('GET', `${base}?per_page=5000001`)).status).toBe(400)
    expect(await list('?per_page=5&page=4')).toHaveLength(5)
  })

  test('names may be relative, absolute, @ or international; a proxied record has automatic TTL', async () => {
    const names = ['short', `whole.${zoneName}`, '@', 'тест']
    const made = await Promise.all(names.map((name, index) => post({ type: 'TXT', name, content: `"${index}"` })))
    expect(made.map(({ result }) => field(result, 'name'))).toEqual([
      `short.${zoneName}`,
      `whole.${zoneName}`,
      zoneName,
      `xn--e1aybc.${zoneName}`,
    ])
    expect((await post({ type: 'A', name: 'p', content: '192.0.2.1', proxied: true, ttl: 600 })).result).toMatchObject({ ttl: 1 })
  })

  test.each([
    [{ type: 'A', name: 'x', content: '300.1.1.1' }, 9005],
    [{ type: 'AAAA', name: 'x', content: '192.0.2.1' }, 9006],
    [{ type: 'CNAME', name: 'x', content: 'no host' }, 9007],
    [{ type: 'A', name: 'x', content: '192.0.2.1', ttl: 59 }, 9021],
    [{ type: 'ODD', name: 'x', content: 'a' }, 9020],
    [{ type: 'TXT', name: 'x', content: '"a"', proxied: true }, 9041],
    [{ type: 'A', name: 'a b', content: '192.0.2.1' }, 9000],
    [{ type: 'MX', name: 'x', content: 'mail.example.net' }, 9207],
    [{ type: 'SRV', name: '_a._tcp', data: { weight: 1 } }, 9207],
    [{ type: 'A', name: 'x' }, 9207],
  ])('refuses %j with %i', async (body, code) => {
    expect(await post(body)).toMatchObject({ status: 400, code })
  })

  test('distinguishes an identical record, the same one with other options, and a clash with a CNAME', async () => {
    await post({ type: 'A', name: 'dup', content: '192.0.2.1', ttl: 300 })
    expect((await post({ type: 'A', name: 'dup', content: '192.0.2.1', ttl: 300 })).code).toBe(81058)
    expect((await post({ type: 'A', name: 'dup', content: '192.0.2.1', ttl: 600 })).code).toBe(81057)
    expect((await post({ type: 'CNAME', name: 'dup', content: 'example.net' })).code).toBe(81053)
    expect((await post({ type: 'A', name: 'dup', content: '192.0.2.2' })).status).toBe(200)
  })

  test('the type of a record cannot be changed, and a missing record answers 81044', async () => {
    const [id = ''] = await ids()
    expect((await running.call('PATCH', `${base}/${id}`, { body: { type: 'AAAA', content: '2001:db8::1' } })).status).toBe(400)
    expect(await running.call('DELETE', `${base}/${'0'.repeat(32)}`)).toMatchObject({ status: 404, code: 81044 })
  })

  test('a free zone holds at most 200 records', async () => {
    const zone = running.simulator.state.createZone(
      running.simulator.state.getZone(running.zones[0]?.id ?? '').account,
      'quota.com',
      'full',
    )
    base = `/zones/${zone.id}/dns_records`
    const posts = Array.from({ length: 200 }, (_, index) => ({ type: 'A', name: `h${index}`, content: '192.0.2.1' }))
    expect((await batch({ posts })).status).toBe(200)
    expect(await post({ type: 'A', name: 'more', content: '192.0.2.1' })).toMatchObject({ status: 400, code: 81045 })
  })
})

describe('a batch', () => {
  test('is all or nothing', async () => {
    const before = await list()
    const [first = '', second = ''] = await ids()
    const answer = await batch({
      deletes: [{ id: first }],
      patches: [{ id: second, comment: 'changed' }],
      posts: [
        { type: 'A', name: 'ok', content: '192.0.2.1' },
        { type: 'A', name: 'bad', content: 'no' },
      ],
    })
    expect(answer).toMatchObject({ status: 400, code: 9005 })
    expect(await list()).toEqual(before)
  })

  test('deletes before it posts, so a record can be replaced by one of another type', async () => {
    const { result } = await post({ type: 'A', name: 'swap', content: '192.0.2.1' })
    const answer = await batch({
      posts: [{ type: 'CNAME', name: 'swap', content: 'example.net' }],
      deletes: [{ id: field(result, 'id') }],
    })
    expect(answer.status).toBe(200)
    expect(field(field(answer.result, 'posts'), 'type')).toEqual(['CNAME'])
  })

  test('holds at most 200 changes on Free and 3,500 on paid plans', async () => {
    const posts = (count: number) => Array.from({ length: count }, (_, index) => ({ type: 'TXT', name: `t${index}`, content: '"x"' }))
    expect((await batch({ posts: posts(201) })).status).toBe(400)
    const zone = running.zones[0]
    if (zone === undefined) throw new Error('no zone')
    zone.plan = 'pro'
    expect((await batch({ posts: posts(201) })).status).toBe(200)
    expect((await batch({ posts: posts(3501) })).status).toBe(400)
  })
})

describe('a zone file import', () => {
  const upload = async (file: string) => {
    const form = new FormData()
    form.set('file', new Blob([file]), 'zone.txt')
    const headers = { 'x-auth-email': running.owner.email, 'x-auth-key': running.owner.globalKey }
    const response = await fetch(`${running.simulator.url}${base}/import`, { method: 'POST', headers, body: form })
    return { status: response.status, body: (await response.json()) as { result: unknown } }
  }

  test('is read with its directives, comments and proxy tags', async () => {
    const file = `$TTL 300\n$ORIGIN ${zoneName}.\nnew IN A 192.0.2.7 ; cf_tags=cf-proxied:true\n  IN TXT "a; b"\nmail2 3600 IN MX 5 mx.example.net.\n_sip._tcp IN SRV 1 2 5060 sip\n`
    expect(await upload(file)).toMatchObject({ status: 200, body: { result: { recs_added: 4, total_records_parsed: 4 } } })
    const [a] = [await list(`?name=new.${zoneName}&type=A`)].flat()
    expect(a).toMatchObject({ content: '192.0.2.7', proxied: true, ttl: 1 })
    const [txt] = [await list(`?name=new.${zoneName}&type=TXT`)].flat()
    expect(txt).toMatchObject({ content: '"a; b"', ttl: 300 })
    const [srv] = [await list('?type=SRV')].flat()
    expect(srv).toMatchObject({ priority: 1, data: { weight: 2, port: 5060, target: 'sip' } })
  })

  test('over 256 KiB or with $INCLUDE is refused', async () => {
    expect((await upload(`; ${'x'.repeat(262_144)}\n`)).status).toBe(400)
    expect((await upload('$INCLUDE other.txt\n')).status).toBe(400)
  })
})
