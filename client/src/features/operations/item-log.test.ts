import { expect, it } from 'vitest'
import { logOf } from './item-log.ts'
import { pairsOf } from './name-server-pairs.ts'
import type { Item } from './queries.ts'

const item = (position: number, part: Partial<Item>): Item => ({
  position,
  zoneId: null,
  present: false,
  domain: `d${position}.com`,
  displayName: `d${position}.com`,
  account: 'a@example.com',
  state: 'done',
  plan: { dangers: [], calls: 1 },
  code: null,
  providerCode: null,
  message: null,
  waitUntil: null,
  finishedAt: null,
  nameServers: null,
  serversSet: false,
  ...part,
})

it('R-DOM-07 the log shows success, warning and error with time and account, the latest first', () => {
  const log = logOf([
    item(0, { finishedAt: '2026-11-21T10:00:05Z' }),
    item(1, { state: 'failed', code: 'zone_not_registered', providerCode: '1049', finishedAt: '2026-11-21T10:00:07Z' }),
    item(2, { state: 'skipped', code: 'domain_ours', account: null }),
    item(3, { state: 'pending' }),
  ])
  expect(log.map(({ level, domain, account, code }) => [level, domain, account, code])).toEqual([
    ['error', 'd1.com', 'a@example.com', 'zone_not_registered'],
    ['success', 'd0.com', 'a@example.com', null],
    ['warning', 'd2.com', null, 'domain_ours'],
  ])
})

it('R-DOM-07 the log shows which account rejected a domain before the next one was tried', () => {
  const moved = [{ account: 'full@example.com', code: 'account_limit_reached', at: '2026-11-21T10:00:01Z' }]
  const log = logOf([item(0, { plan: { dangers: [], calls: 1, moved }, finishedAt: '2026-11-21T10:00:05Z' })])
  expect(log.map(({ level, account, moved: went }) => [level, account, went])).toEqual([
    ['success', 'a@example.com', false],
    ['warning', 'full@example.com', true],
  ])
})

it('R-DOM-06 new domains are grouped by their name servers, regardless of their order', () => {
  const of = (position: number, nameServers: string[] | null) => item(position, { nameServers })
  expect(pairsOf([of(0, ['a.ns', 'b.ns']), of(1, ['x.ns', 'y.ns']), of(2, ['b.ns', 'a.ns']), of(3, null)])).toEqual([
    { servers: ['a.ns', 'b.ns'], domains: ['d0.com', 'd2.com'] },
    { servers: ['x.ns', 'y.ns'], domains: ['d1.com'] },
  ])
})
