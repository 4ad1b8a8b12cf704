import type { Permission, PlanId, SimAccount, SimToken, SimUser, SimZone, ZoneStatus } from './cloudflare/model.ts'
import { makeDomainName } from './domain-names.ts'
import { between, hash32, hexId, pick, pickWeighted, randomFrom } from './random.ts'
import type { Random } from './random.ts'

export type WorldOptions = {
  /** 10 to 100,000. */
  readonly zones: number
  readonly accounts: number
  readonly seed: number
  /** Records of each zone. Default 5 to 20. */
  readonly recordsPerZone?: number | { readonly min: number; readonly max: number } | undefined
  /** True: every account is healthy, of equal size and with its own user, and every zone is active and without rules. */
  readonly plain?: boolean | undefined
  /** The current time of the world; default 2026-11-21T00:00:00Z. */
  readonly nowMs?: number | undefined
}

/** `revoked`: the key is refused. `flagged`: may not create zones. `empty`: no zones. */
type AccountCondition = 'healthy' | 'revoked' | 'flagged' | 'empty'

/** Credentials of the owner of one Cloudflare account. */
export type AccountCredentials = {
  readonly condition: AccountCondition
  readonly accountId: string
  readonly accountName: string
  readonly userId: string
  readonly email: string
  readonly globalKey: string
  /** All permissions the panel needs, for this account only. */
  readonly apiToken: string
  /** Account-owned instead of user-owned: verified at another URL. */
  readonly accountToken: string
  /** Reads zones and records only; may neither purge nor change. */
  readonly readOnlyToken: string
}

type WorldContent = {
  readonly users: SimUser[]
  readonly tokens: SimToken[]
  readonly accounts: SimAccount[]
  readonly zones: SimZone[]
}

/** A reproducible world: `content()` generates it again, identically. */
export type World = {
  readonly seed: number
  readonly nowMs: number
  readonly recordsPerZone: { readonly min: number; readonly max: number }
  /** Some zones have rules that people and other programs made. */
  readonly hasRules: boolean
  readonly credentials: readonly AccountCredentials[]
  content(): WorldContent
}

const DAY_MS = 86_400_000
const FULL: readonly Permission[] = [
  'zone:edit',
  'dns:edit',
  'zone_settings:edit',
  'ssl:edit',
  'bot_management:edit',
  'cache_purge:edit',
  'page_rules:read',
  'zone_waf:edit',
  'dynamic_redirect:edit',
  'cache_settings:edit',
  'config_settings:edit',
  'origin:edit',
  'transform_rules:edit',
  'filter_lists:edit',
  'mass_url_redirects:edit',
  'firewall_services:edit',
  'account_firewall:edit',
  'analytics:read',
  'account:read',
  'trust_and_safety:edit',
  'user:read',
]
const READ_ONLY: readonly Permission[] = ['zone:read', 'dns:read']

const OWNERS = [
  'Anna Petrova',
  'Maksim Orlov',
  'Elena Volkova',
  'Daniel Weber',
  'Sofia Rossi',
  'Ivan Kuznetsov',
  'Mia Larsen',
  'Lucas Martin',
  'Olga Smirnova',
  'Tom Fischer',
  'Nina Popova',
  'Pavel Sokolov',
] as const
const TEAMS = ['Media', 'Traffic', 'SEO', 'Affiliate', 'Landing', 'Nutra', 'Gambling', 'Content', 'Studio', 'Direct'] as const
const NAME_SERVERS = [
  'ada',
  'alan',
  'bella',
  'bob',
  'cleo',
  'dana',
  'elliot',
  'fiona',
  'gabe',
  'hera',
  'ivan',
  'jade',
  'kai',
  'lola',
  'marek',
  'nina',
  'otto',
  'paula',
  'reza',
  'sara',
  'tim',
  'uma',
  'vera',
  'wally',
  'zara',
] as const
const REGISTRARS = [
  'namecheap, inc. (id: 1068)',
  'godaddy.com, llc (id: 146)',
  'reg.ru',
  'porkbun llc (id: 1861)',
  'namesilo, llc (id: 1479)',
  null,
] as const
const PARKED = ['dns1.registrar-servers.com', 'dns2.registrar-servers.com'] as const

/** Builds a seeded world; the same options give the same world, byte for byte. */
export function buildWorld(options: WorldOptions): World {
  const nowMs = options.nowMs ?? Date.UTC(2026, 10, 21)
  const records = options.recordsPerZone ?? { min: 5, max: 20 }
  return {
    seed: options.seed,
    nowMs,
    recordsPerZone: typeof records === 'number' ? { min: records, max: records } : records,
    hasRules: options.plain !== true,
    credentials: Array.from({ length: options.accounts }, (_, index) => credentialsOf(options, index)),
    content: () => contentOf(options, nowMs),
  }
}

/** The pair of name servers with number `serial`; a zone that is added again gets another one. */
export function nameServerPair(serial: number): readonly string[] {
  const random = randomFrom(hash32(serial, 77))
  const first = pick(random, NAME_SERVERS)
  let second = pick(random, NAME_SERVERS)
  while (second === first) second = pick(random, NAME_SERVERS)
  return [`${first}.ns.cloudflare.com`, `${second}.ns.cloudflare.com`]
}

function conditionOf(options: WorldOptions, index: number): AccountCondition {
  if (options.plain === true || options.accounts < 3) return 'healthy'
  const fromEnd = options.accounts - index
  if (fromEnd === 1) return 'empty'
  if (fromEnd === 2 && options.accounts >= 4) return 'revoked'
  if (fromEnd === 3 && options.accounts >= 5) return 'flagged'
  return 'healthy'
}

function credentialsOf(options: WorldOptions, index: number): AccountCredentials {
  const { seed } = options
  const random = randomFrom(hash32(seed, 11, index))
  const [first = '', last = ''] = pick(random, OWNERS).toLowerCase().split(' ')
  const team = pick(random, TEAMS)
  const secret = (kind: number) => hexId(seed, kind, index) + hexId(seed, kind + 50, index)
  return {
    condition: conditionOf(options, index),
    accountId: hexId(seed, 1, index),
    accountName: `${first.slice(0, 1).toUpperCase()}${first.slice(1)}'s ${team} ${index + 1}`,
    userId: hexId(seed, 2, index),
    email: `${first}.${last}.${index + 1}@${team.toLowerCase()}.example`,
    globalKey: secret(3).slice(0, 37),
    apiToken: secret(4).slice(0, 40),
    accountToken: `cfat_${secret(5).slice(0, 48)}`,
    readOnlyToken: secret(6).slice(0, 40),
  }
}

function contentOf(options: WorldOptions, nowMs: number): WorldContent {
  const { seed } = options
  const credentials = Array.from({ length: options.accounts }, (_, index) => credentialsOf(options, index))
  const accounts = credentials.map((credential, index): SimAccount => {
    const random = randomFrom(hash32(seed, 12, index))
    return {
      id: credential.accountId,
      name: credential.accountName,
      type: random() < 0.03 && index > 0 && options.plain !== true ? 'enterprise' : 'standard',
      createdOnMs: nowMs - between(random, 200, 3000) * DAY_MS,
      mayCreateZones: credential.condition !== 'flagged',
      pendingAllowance: 50,
      nameServers: nameServerPair(hash32(seed, 13, index)),
    }
  })
  const users = credentials.map((credential, index): SimUser => {
    const [first = '', last = ''] = credential.email.split('.')
    // The second user is also a member of the first account, like a colleague.
    const guestOf = index === 1 && options.plain !== true ? credentials.slice(0, 1) : []
    return {
      id: credential.userId,
      email: credential.email,
      globalKey: credential.condition === 'revoked' ? null : credential.globalKey,
      firstName: first,
      lastName: last,
      accountIds: [credential, ...guestOf].map((entry) => entry.accountId),
    }
  })
  return {
    users,
    tokens: credentials.flatMap((entry, index) => tokensOf(seed, entry, index)),
    accounts,
    zones: zonesOf(options, nowMs, accounts, credentials),
  }
}

function tokensOf(seed: number, credential: AccountCredentials, index: number): SimToken[] {
  const status = credential.condition === 'revoked' ? 'disabled' : 'active'
  const shared = { accountIds: [credential.accountId], zoneIds: null, status, expiresOnMs: null } as const
  const user = { kind: 'user', userId: credential.userId } as const
  return [
    { ...shared, id: hexId(seed, 7, index), value: credential.apiToken, name: 'panel', owner: user, permissions: FULL },
    {
      ...shared,
      id: hexId(seed, 8, index),
      value: credential.accountToken,
      name: 'panel, owned by the account',
      owner: { kind: 'account', accountId: credential.accountId },
      permissions: FULL,
    },
    { ...shared, id: hexId(seed, 9, index), value: credential.readOnlyToken, name: 'reports', owner: user, permissions: READ_ONLY },
  ]
}

function zonesOf(
  options: WorldOptions,
  nowMs: number,
  accounts: readonly SimAccount[],
  credentials: readonly AccountCredentials[],
): SimZone[] {
  const { seed } = options
  const random = randomFrom(hash32(seed, 20))
  const homes = accounts.filter((_, index) => credentials[index]?.condition !== 'empty')
  // Realistic account sizes: the first are several times larger than the last.
  const weights = homes.map((home, index) => [home, options.plain === true ? 1 : 1 + 3 / (index + 1)] as const)
  const names = new Set<string>()
  const zones: SimZone[] = []
  for (let serial = 0; serial < options.zones; serial++) {
    let name = makeDomainName(random)
    while (names.has(name)) name = makeDomainName(random)
    names.add(name)
    const account = options.plain === true ? homes[serial % homes.length] : pickWeighted(random, weights)
    if (account === undefined) throw new Error('a world with zones needs an account')
    zones.push(zoneOf(options, random, nowMs, account, serial, name))
  }
  return zones
}

function zoneOf(options: WorldOptions, random: Random, nowMs: number, account: SimAccount, serial: number, name: string): SimZone {
  const plain = options.plain === true
  const status: ZoneStatus = plain
    ? 'active'
    : pickWeighted(random, [
        ['active', 88],
        ['pending', 9],
        ['initializing', 1],
        ['moved', 2],
      ])
  const plan: PlanId = plain
    ? 'free'
    : account.type === 'enterprise'
      ? 'enterprise'
      : pickWeighted(random, [
          ['free', 93],
          ['pro', 5],
          ['business', 2],
        ])
  const ageDays = status === 'active' ? between(random, 1, 1500) : between(random, 0, 26)
  const createdOnMs = nowMs - ageDays * DAY_MS - between(random, 0, DAY_MS)
  const activatedOnMs = status === 'active' || status === 'moved' ? createdOnMs + between(random, 60_000, 3_600_000) : null
  const modifiedOnMs = Math.min(nowMs, (activatedOnMs ?? createdOnMs) + between(random, 0, ageDays) * DAY_MS)
  return {
    id: hexId(options.seed, 30, serial),
    name,
    serial: hash32(options.seed, serial),
    fromWorld: true,
    account,
    status,
    paused: !plain && random() < 0.01,
    type: plan === 'enterprise' && random() < 0.1 ? 'partial' : 'full',
    plan,
    developmentModeEndsMs: !plain && random() < 0.02 ? nowMs + between(random, -5 * DAY_MS, 10_000_000) : null,
    nameServers: account.nameServers,
    originalNameServers: PARKED,
    originalRegistrar: pick(random, REGISTRARS),
    vanityNameServers: [],
    createdOnMs,
    modifiedOnMs,
    activatedOnMs,
    phishing: !plain && random() < 0.003,
    hold: plan === 'enterprise',
    lastActivationCheckMs: null,
    changes: null,
  }
}
