import { beforeAll, expect, test, vi } from 'vitest'

type Search = typeof import('./search.ts')
let search: Search
beforeAll(async () => {
  const kept = new Map<string, string>()
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => kept.set(key, value),
  })
  vi.stubGlobal('window', { addEventListener: () => undefined })
  // Another test file may have loaded it without the above.
  vi.resetModules()
  search = await import('./search.ts')
})

const account = '11111111-1111-4111-8111-111111111111'
const other = '22222222-2222-4222-8222-222222222222'

test('R-DOM-02 every filter of the URL is sent to the server, all combined', () => {
  const raw = {
    q: 'shop',
    account: `${account}.${other}`,
    group: account,
    status: 'active',
    ssl: 'on',
    https: 'enabled',
    level: 'under_attack',
    tls: '1.2',
    health: 'ok',
    botFight: 'enabled',
    aiBots: 'only_on_ad_pages',
    labyrinth: 'disabled',
    robots: 'enabled',
    dnssec: 'pending-disabled',
    originCert: 'expires_soon',
    traffic: 'none',
    tracker: 'BINOM',
    email: 'a@b',
    ip: '203.0.113.0/24',
    registrar: `none.${other}`,
    paid: '30',
    owner: account,
  }
  expect(search.filterOf(search.parseDomainsSearch(raw))).toEqual({
    search: 'shop',
    accountIds: [account, other],
    groupIds: [account],
    status: 'active',
    ssl: 'on',
    https: 'enabled',
    securityLevel: 'under_attack',
    tlsMin: '1.2',
    health: 'ok',
    botFightMode: 'enabled',
    aiBots: 'only_on_ad_pages',
    aiLabyrinth: 'disabled',
    managedRobotsTxt: 'enabled',
    dnssec: 'pending-disabled',
    originCertificate: 'expires_soon',
    traffic: 'none',
    tracker: 'BINOM',
    email: 'a@b',
    ip: '203.0.113.0/24',
    registrarIds: [other],
    registrar: 'none',
    paidUntil: 30,
    ownerId: account,
  })
})

test('R-RTE-05 a URL with any content opens the list, and unknown values are dropped', () => {
  expect(
    search.parseDomainsSearch({
      q: '   ',
      account: 'x.y',
      status: ['active'],
      ssl: 7,
      tls: 9,
      ip: '203.0',
      sort: 'password',
      view: 'list',
      owner: null,
      evil: 'yes',
    }),
  ).toEqual({})
  expect(search.parseDomainsSearch({ q: 404, tls: 1 })).toEqual({ q: '404', tls: 1 })
})

test('R-RTE-05 the URL preserves the filters ‘no registrar’ and ‘paid until’', () => {
  expect(search.filterOf(search.parseDomainsSearch({ registrar: 'none', paid: 'over' }))).toEqual({ registrar: 'none', paidUntil: 'over' })
  expect(search.parseDomainsSearch({ registrar: `x.${account}.none`, paid: 7 })).toEqual({ registrar: `none.${account}`, paid: 7 })
  for (const paid of [0, -1, 3_651, 1.5, true, 'soon', null, '']) expect(search.parseDomainsSearch({ paid })).toEqual({})
})

test('R-RTE-05 defaults are not in the URL', () => {
  expect(search.parseDomainsSearch({ sort: 'name', view: 'list' })).toEqual({})
  expect(search.parseDomainsSearch({ sort: '-name' })).toEqual({ sort: '-name' })
})

test('R-DOM-02 reset clears every filter and keeps the view options', () => {
  const full = search.parseDomainsSearch({ q: 'a', status: 'active', tls: 1.3, sort: '-createdAt', view: 'grid' })
  expect(search.hasFilter(full)).toBe(true)
  expect(search.parseDomainsSearch({ ...full, ...search.noFilter })).toEqual({ sort: '-createdAt', view: 'grid' })
})
