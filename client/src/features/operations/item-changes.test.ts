import { describe, expect, it } from 'vitest'
import { changesOf, contentIn, placeOf, recordsLost } from './item-changes.ts'

const record = (name: string, content: string, type = 'A') => ({ type, name, content, proxied: true, priority: null })

describe('what a plan changes', () => {
  it('R-DOM-08 names each setting with its old and new value', () => {
    expect(changesOf({ before: { ssl: 'full', developmentMode: null }, after: { ssl: 'strict', developmentMode: true } })).toEqual([
      { kind: 'setting', key: 'ssl', from: 'full', to: 'strict' },
      { kind: 'setting', key: 'developmentMode', from: null, to: true },
    ])
  })

  it('R-DOM-14 shows a replaced address as one change and an additional one as new', () => {
    const [old, next, more] = [record('a.com', '192.0.2.1'), record('a.com', '192.0.2.9'), record('www.a.com', '192.0.2.9')]
    expect(changesOf({ before: [old], after: [next, more] })).toEqual([
      { kind: 'record', from: old, to: next },
      { kind: 'record', from: null, to: more },
    ])
    expect(changesOf({ before: [old], after: [] })).toEqual([{ kind: 'record', from: old, to: null }])
  })

  it('counts the redirects of a batch before those of which it knows more', () => {
    const redirects = { added: 1_200, changed: 0, removed: 1 }
    const [gone, made] = [record('a.com/old', 'https://b.com', '301'), record('a.com/new', 'https://b.com', '301')]
    expect(changesOf({ before: [gone], after: [made], redirects })).toEqual([
      { kind: 'redirects', ...redirects },
      { kind: 'record', from: gone, to: null },
      { kind: 'record', from: null, to: made },
    ])
  })

  it('R-DOM-10 shows a group by name, also where there was none before', () => {
    expect(changesOf({ before: null, after: 'Shops' })).toEqual([{ kind: 'group', from: null, to: 'Shops' }])
  })

  it('shows which profile is applied and the settings and records it changes', () => {
    const [old, next] = [record('a.com', '192.0.2.1'), record('a.com', '192.0.2.9')]
    const before = { profile: null, settings: { ssl: 'full' }, records: [old] }
    const after = { profile: 'Shop', settings: { ssl: 'strict' }, records: [next] }
    expect(changesOf({ before, after })).toEqual([
      { kind: 'profile', from: null, to: 'Shop' },
      { kind: 'setting', key: 'ssl', from: 'full', to: 'strict' },
      { kind: 'record', from: old, to: next },
    ])
    expect(changesOf({ before: { ...before, profile: 'Shop' }, after: { ...after, settings: {}, records: [] } })).toEqual([
      { kind: 'record', from: old, to: null },
    ])
  })

  it('names the kinds of rules that the plan of a domain has no room for', () => {
    const fullPhases = [{ phase: 'http_request_firewall_custom', rules: 7, limit: 5 }]
    expect(changesOf({ before: null, after: { fullPhases } })).toEqual([{ kind: 'full_phase', ...fullPhases[0] }])
  })

  it('shows the rules that a profile adds, changes and removes, side by side', () => {
    const rule = (description: string, position: number) => ({
      phase: 'http_request_firewall_custom',
      position,
      description,
      expression: 'ssl',
      enabled: true,
      action: 'block',
      actionParameters: null,
      ratelimit: null,
    })
    const side = { profile: 'Shop', settings: {}, records: [] }
    const [old, moved, added, removed] = [rule('Moved', 3), rule('Moved', 1), rule('Added', 2), rule('Removed', 4)]
    const plan = { before: { ...side, rules: [old, null, removed] }, after: { ...side, rules: [moved, added, null] } }
    expect(changesOf(plan)).toEqual([
      { kind: 'rule', from: old, to: moved },
      { kind: 'rule', from: null, to: added },
      { kind: 'rule', from: removed, to: null },
    ])
  })

  it('R-TRK-03 shows where a domain is bound and unbound, and the tracker’s last result before a new check', () => {
    const bound = { tracker: 'Keitaro', campaign: 'Nutra', group: null, sslRedirect: true }
    expect(changesOf({ before: null, after: bound })).toEqual([
      { kind: 'tracker', from: null, to: 'Keitaro' },
      { kind: 'campaign', from: null, to: 'Nutra' },
      { kind: 'ssl_redirect', from: null, to: true },
    ])
    expect(changesOf({ before: { ...bound, sslRedirect: null }, after: null })).toEqual([
      { kind: 'tracker', from: 'Keitaro', to: null },
      { kind: 'campaign', from: 'Nutra', to: null },
    ])
    const said = { tracker: 'Keitaro', status: 'error', problem: 'Timeout was reached', sslProblem: null }
    expect(changesOf({ before: said, after: null })).toEqual([{ kind: 'tracker_check', from: 'Timeout was reached' }])
    expect(changesOf({ before: { tracker: 'Binom', campaign: null, campaigns: 2 }, after: null })).toEqual([
      { kind: 'tracker', from: 'Binom', to: null },
    ])
  })

  it('R-TRK-03 shows why a reserve domain cannot replace another', () => {
    const after = { domain: 'spare.com', problems: ['paused', 'unhealthy'] }
    expect(changesOf({ before: null, after })).toEqual([{ kind: 'unready', ...after }])
    expect(changesOf({ after: { domain: null, problems: [] } })).toEqual([])
  })

  it('shows which domain replaces another, and what it takes over', () => {
    const [old, next] = [record('spare.com', '192.0.2.1'), record('spare.com', '192.0.2.9')]
    const before = { domain: 'down.com', tracker: 'Keitaro', campaign: 'Nutra', settings: { ssl: 'full' }, records: [old] }
    const after = {
      ...before,
      domain: 'spare.com',
      reserveZoneId: '1',
      group: 'Shops',
      settings: { ssl: 'strict' },
      records: [next],
      left: 1,
    }
    expect(changesOf({ before, after })).toEqual([
      { kind: 'replaced', from: 'down.com', to: 'spare.com' },
      { kind: 'tracker', from: null, to: 'Keitaro' },
      { kind: 'campaign', from: null, to: 'Nutra' },
      { kind: 'group', from: null, to: 'Shops' },
      { kind: 'setting', key: 'ssl', from: 'full', to: 'strict' },
      { kind: 'record', from: old, to: next },
      { kind: 'left', records: 1 },
    ])
  })

  it('shows only the group when only the group is undone', () => {
    const side = (group: string | null) => ({ group, settings: {}, records: [] })
    expect(changesOf({ before: side('Shops'), after: side(null) })).toEqual([{ kind: 'group', from: 'Shops', to: null }])
  })

  it('shows what a new domain gets, and what a restored one gets back', () => {
    const [made, settings] = [record('a.com', '192.0.2.1'), { ssl: 'full', alwaysUseHttps: true }]
    const initial = [
      { kind: 'initial', key: 'ssl', to: 'full' },
      { kind: 'initial', key: 'alwaysUseHttps', to: true },
    ]
    for (const before of [null, []]) {
      expect(changesOf({ before, after: { records: [made], settings } })).toEqual([{ kind: 'record', from: null, to: made }, ...initial])
    }
    expect(changesOf({ before: null, after: { records: 12, settings } })).toEqual([{ kind: 'whole', records: 12 }, ...initial])
  })

  it('R-BUY-04 shows the current delegation of an unbound name, and that its name servers are assigned later', () => {
    const after = { records: [], settings: {}, registrar: 'Pork', nameServers: { now: ['ns1.old.example'] } }
    expect(changesOf({ before: null, after })).toEqual([
      { kind: 'registrar', from: null, to: 'Pork' },
      { kind: 'name_servers', from: ['ns1.old.example'], to: null },
    ])
  })

  it('shows a host within its domain in the notation of the domain', () => {
    const idn = { domain: 'xn--80a1acny.xn--p1ai', displayName: 'почта.рф' }
    const shown = [idn.domain, `www.${idn.domain}`, `not${idn.domain}`, '192.0.2.1'].map((content) => contentIn(content, idn))
    expect(shown).toEqual(['почта.рф', 'www.почта.рф', `not${idn.domain}`, '192.0.2.1'])
  })

  it('R-DOM-09 counts the records that are deleted with a domain', () => {
    expect(changesOf({ before: { records: 12 }, after: null })).toEqual([{ kind: 'whole', records: 12 }])
    expect(recordsLost({ before: { records: 12 } })).toBe(12)
    expect(recordsLost({ before: null })).toBeNull()
  })
})

it.each([
  ['renew', 'registrar'],
  ['auto_renew', 'registrar'],
  ['tracker_bind', 'tracker'],
  // Its items are domains of accounts, even where the name servers are set at a registrar.
  ['name_servers', 'account'],
  ['settings', 'account'],
] as const)('items of %s are named with their %s', (kind, place) => {
  expect(placeOf(kind)).toBe(place)
})
