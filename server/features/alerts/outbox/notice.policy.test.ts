import { describe, expect, test } from 'vitest'
import type { Notices, ReasonCode } from '#shared/features/monitoring/schema.ts'
import { decide, isWanted } from './notice.policy.ts'
import type { Happened, Window } from './notice.policy.ts'

const now = Date.parse('2026-03-01T12:00:00Z')
const minute = 60_000
const at = (minutes: number) => new Date(now + minutes * minute)
const all: Notices = { statusChange: true, dnsMismatch: true, sslIssues: true, traffic: true, recovery: true }
const none: Notices = { statusChange: false, dnsMismatch: false, sslIssues: false, traffic: false, recovery: false }
const reason = (code: ReasonCode) => ({ code, params: {}, regions: [] })

const happened = (change: Partial<Happened> = {}): Happened => ({
  health: 'critical',
  reasons: [reason('connect_refused')],
  groupId: 'group',
  domainId: 'zone',
  openedAt: at(-10),
  closedAt: null,
  notifiedRecently: false,
  mutedUntil: null,
  endedMuted: false,
  ...change,
})
const warning = { health: 'warnings', reasons: [reason('cert_expires_soon')] } as const
const window = (change: Partial<Window> = {}): Window => ({ groupId: null, domainIds: null, startsAt: at(-30), endsAt: at(30), ...change })
const decided = (change: Partial<Happened> = {}, around: Partial<Parameters<typeof decide>[1]> = {}) =>
  decide(happened(change), { now, notices: all, windows: [], quiet: null, groupUntil: null, ...around })

describe('R-MON-01 notification preferences', () => {
  test.each<[keyof Notices, ReasonCode]>([
    ['dnsMismatch', 'name_servers_elsewhere'],
    ['dnsMismatch', 'address_mismatch'],
    ['sslIssues', 'tls_failed'],
    ['sslIssues', 'cert_expired'],
    ['sslIssues', 'cert_untrusted'],
    ['sslIssues', 'cert_wrong_name'],
    ['sslIssues', 'cert_expires_soon'],
    ['traffic', 'traffic_dropped'],
    ['traffic', 'traffic_server_errors'],
    ['traffic', 'traffic_threats'],
    ['statusChange', 'slow'],
  ])('only %s lets %s through as a warning', (notice, code) => {
    const incident = { health: 'warnings', reasons: [reason(code)] } as const
    expect(isWanted(incident, { ...none, [notice]: true })).toBe(true)
    expect(isWanted(incident, { ...all, [notice]: false })).toBe(false)
  })

  test('a domain that is down matches status changes whatever the reason, and the preference of its reason too', () => {
    const down = { health: 'critical', reasons: [reason('cert_expired')] } as const
    expect(isWanted(down, { ...none, statusChange: true })).toBe(true)
    expect(isWanted(down, { ...none, sslIssues: true })).toBe(true)
    expect(isWanted(down, { ...none, dnsMismatch: true, recovery: true })).toBe(false)
  })

  test('one matching reason suffices, and an incident without reasons is a status change', () => {
    const both = { health: 'warnings', reasons: [reason('slow'), reason('address_mismatch')] } as const
    expect(isWanted(both, { ...none, dnsMismatch: true })).toBe(true)
    expect(isWanted({ health: 'warnings', reasons: [] }, { ...none, statusChange: true })).toBe(true)
    expect(isWanted({ health: 'warnings', reasons: [] }, { ...all, statusChange: false })).toBe(false)
  })

  test('an unwanted notification is not held back either', () => {
    expect(decided(warning, { notices: none, quiet: now + minute })).toEqual({ do: 'skip' })
  })
})

describe('the start of an incident', () => {
  test('is sent when nothing mutes it', () => {
    expect(decided()).toEqual({ do: 'notify' })
    expect(decided(warning)).toEqual({ do: 'notify' })
  })

  test('waits for the end of the longest maintenance that covers it', () => {
    const until = (windows: readonly Window[], change: Partial<Happened> = {}) => decided(change, { windows })
    const held = { do: 'hold', until: at(30).getTime() }
    expect(until([window({ endsAt: at(5) }), window(), window({ endsAt: at(20) })])).toEqual(held)
    expect(until([window({ groupId: 'group' })])).toEqual(held)
    expect(until([window({ domainIds: ['other', 'zone'] })])).toEqual(held)
    expect(until([window({ startsAt: at(0) })])).toEqual(held)
  })

  test('is not muted by other domains’ maintenance, or before it starts or after it ends', () => {
    const decision = { do: 'notify' }
    expect(decided({}, { windows: [window({ groupId: 'another' })] })).toEqual(decision)
    expect(decided({ groupId: null }, { windows: [window({ groupId: 'another' })] })).toEqual(decision)
    expect(decided({}, { windows: [window({ domainIds: ['other'] })] })).toEqual(decision)
    expect(decided({}, { windows: [window({ groupId: 'group', domainIds: ['other'] })] })).toEqual(decision)
    expect(decided({ domainId: null }, { windows: [window({ domainIds: ['zone'] })] })).toEqual(decision)
    expect(decided({}, { windows: [window({ startsAt: at(1) })] })).toEqual(decision)
    expect(decided({}, { windows: [window({ endsAt: at(0) })] })).toEqual(decision)
  })

  test('waits while a person has muted it, and no longer', () => {
    expect(decided({ mutedUntil: at(7) })).toEqual({ do: 'hold', until: at(7).getTime() })
    expect(decided({ mutedUntil: at(7) }, { windows: [window({ endsAt: at(3) })] })).toEqual({ do: 'hold', until: at(7).getTime() })
    expect(decided({ mutedUntil: at(0) })).toEqual({ do: 'notify' })
  })

  test('waits for the end of quiet hours and is sent at most daily for a warning; a domain that is down ignores both', () => {
    const quiet = at(90).getTime()
    expect(decided(warning, { quiet })).toEqual({ do: 'hold', until: quiet })
    expect(decided({ ...warning, notifiedRecently: true })).toEqual({ do: 'skip' })
    expect(decided({ notifiedRecently: true }, { quiet })).toEqual({ do: 'notify' })
  })

  test('is grouped with others of its cause while the group is open', () => {
    const groupUntil = at(2).getTime()
    expect(decided({}, { groupUntil })).toEqual({ do: 'hold', until: groupUntil })
    expect(decided({}, { groupUntil: now })).toEqual({ do: 'notify' })
  })
})

describe('an incident that ended before a notification was sent', () => {
  const over = (change: Partial<Happened> = {}, windows: readonly Window[] = []) => decided({ closedAt: at(-9), ...change }, { windows }).do

  test('is sent with its end if a domain was down for a minute', () => {
    expect(over()).toBe('notify_end')
    expect(over({ closedAt: new Date(at(-9).getTime() - 1) })).toBe('skip')
    expect(over({ ...warning, closedAt: at(-1) })).toBe('skip')
  })

  test('is not sent if it was muted, began during maintenance, or maintenance is still active', () => {
    expect(over({ endedMuted: true })).toBe('skip')
    expect(over({ mutedUntil: at(5) })).toBe('skip')
    expect(over({}, [window()])).toBe('skip')
    const ended = { startsAt: at(-10), endsAt: at(-9.5) }
    expect(over({}, [window(ended)])).toBe('skip')
    expect(over({}, [window({ ...ended, domainIds: ['other'] })])).toBe('notify_end')
    expect(over({}, [window({ startsAt: at(-9.9), endsAt: at(-9.5) })])).toBe('notify_end')
    expect(over({}, [window({ startsAt: at(-20), endsAt: at(-10) })])).toBe('notify_end')
    expect(over({}, [window(ended), window({ startsAt: at(-40), endsAt: at(-20) })])).toBe('skip')
  })
})
