import { hash32, hexId } from '../random.ts'
import type { RateWindow } from '../rate-window.ts'
import type { World } from '../world.ts'
import { nameServerPair } from '../world.ts'
import type { PlanId, SimAccount, SimToken, SimUser, SimZone, ZoneChanges } from './model.ts'

/** Everything the simulator remembers, with the few changes that tests make behind the panel's back. */
export type State = ReturnType<typeof createState>

/** Takes the world's content as its own; a second state of the same world starts from the same place. */
export function createState(world: World, now: () => number) {
  const content = world.content()
  const usersById = new Map(content.users.map((user) => [user.id, user]))
  const tokensByValue = new Map(content.tokens.map((token) => [token.value, token]))
  const accountsById = new Map(content.accounts.map((account) => [account.id, account]))
  const zonesById = new Map<string, SimZone>()
  const zonesByName = new Map<string, SimZone | SimZone[]>()
  const zonesByAccount = new Map<string, Set<SimZone>>()
  /** How often a name was a zone before: a zone that is added again gets other name servers. */
  const formerZones = new Map<string, number>()
  let made = 0

  const state = {
    world,
    now,
    usersById,
    tokensByValue,
    accountsById,
    zonesById,
    /** Goes up when a zone appears, goes, or changes what lists are filtered and ordered by. */
    zonesVersion: 0,
    /** Goes up when credentials change. */
    credentialsVersion: 0,
    /** What the registrar of a domain says; a name that is not here points elsewhere. */
    registrarNameServers: new Map<string, readonly string[]>(),
    /** Names that Cloudflare refuses to add, each for its own reason. */
    refusals: {
      /** 1049 */ unregistered: new Set<string>(),
      /** 1097 */ banned: new Set<string>(),
      /** 1098 */ temporarilyBanned: new Set<string>(),
      /** 1110 */ lookupFailing: new Set<string>(),
    },
    /** Zones created by each user, and tries at each name: times in milliseconds. */
    creations: new Map<string, number[]>(),
    attempts: new Map<string, number[]>(),
    /** Left in each account's purge bucket; see `purge.ts`. */
    purgeBuckets: new Map<string, { tokens: number; atMs: number }>(),
    /** Imports of each user; see `dns-file.ts`. */
    imports: new Map<string, RateWindow>(),

    /** A number no other call got, for ids of what is created. */
    nextSerial(): number {
      made++
      return hash32(world.seed, 900, made)
    },
    nextId(): string {
      made++
      return hexId(world.seed, 901, made)
    },

    zonesNamed(name: string): readonly SimZone[] {
      const found = zonesByName.get(name)
      return found === undefined ? [] : Array.isArray(found) ? found : [found]
    },
    zonesOfAccount(accountId: string): ReadonlySet<SimZone> {
      return zonesByAccount.get(accountId) ?? NO_ZONES
    },
    getZone(zoneId: string): SimZone {
      const zone = zonesById.get(zoneId)
      if (zone === undefined) throw new Error(`no zone ${zoneId}`)
      return zone
    },

    addUser(user: SimUser): SimUser {
      usersById.set(user.id, user)
      state.credentialsVersion++
      return user
    },
    addToken(token: SimToken): SimToken {
      tokensByValue.set(token.value, token)
      state.credentialsVersion++
      return token
    },
    addAccount(account: SimAccount): SimAccount {
      accountsById.set(account.id, account)
      return account
    },
    addZone(zone: SimZone): SimZone {
      insert(zone)
      state.zonesVersion++
      return zone
    },
    /** A new pending zone without records. */
    createZone(account: SimAccount, name: string, type: SimZone['type'], plan: PlanId = 'free'): SimZone {
      const former = formerZones.get(name) ?? 0
      const nowMs = now()
      return state.addZone({
        id: state.nextId(),
        name,
        serial: state.nextSerial(),
        fromWorld: false,
        account,
        status: 'pending',
        paused: false,
        type,
        plan,
        developmentModeEndsMs: null,
        nameServers: former === 0 ? account.nameServers : nameServerPair(hash32(world.seed, 902, former, name.length)),
        originalNameServers: state.registrarNameServers.get(name) ?? ['dns1.registrar-servers.com', 'dns2.registrar-servers.com'],
        originalRegistrar: null,
        vanityNameServers: [],
        createdOnMs: nowMs,
        modifiedOnMs: nowMs,
        activatedOnMs: null,
        phishing: false,
        hold: false,
        lastActivationCheckMs: null,
        changes: null,
      })
    },
    removeZone(zoneId: string): void {
      const zone = state.getZone(zoneId)
      zonesById.delete(zoneId)
      zonesByAccount.get(zone.account.id)?.delete(zone)
      const rest = state.zonesNamed(zone.name).filter((other) => other !== zone)
      if (rest.length === 0) zonesByName.delete(zone.name)
      else zonesByName.set(zone.name, rest)
      formerZones.set(zone.name, (formerZones.get(zone.name) ?? 0) + 1)
      state.zonesVersion++
    },
    /** As if the registrar's name servers had been changed and Cloudflare had seen it. */
    activate(zoneId: string): void {
      const zone = state.getZone(zoneId)
      state.registrarNameServers.set(zone.name, zone.nameServers)
      zone.status = 'active'
      zone.activatedOnMs ??= now()
      zone.modifiedOnMs = now()
      state.zonesVersion++
    },
    /** The global key of a user stops working, as after "change" in the dashboard. */
    revokeKey(userId: string): void {
      const user = usersById.get(userId)
      if (user === undefined) throw new Error(`no user ${userId}`)
      user.globalKey = null
      state.credentialsVersion++
    },
    /** Where changes of a zone are kept, made on first use. */
    changesOf(zone: SimZone): ZoneChanges {
      zone.changes ??= { settings: new Map(), records: null, packs: null, universalSsl: null }
      return zone.changes
    },
    touch(zone: SimZone): void {
      zone.modifiedOnMs = now()
    },
  }

  function insert(zone: SimZone): void {
    zonesById.set(zone.id, zone)
    const sameName = zonesByName.get(zone.name)
    if (sameName === undefined) zonesByName.set(zone.name, zone)
    else zonesByName.set(zone.name, Array.isArray(sameName) ? [...sameName, zone] : [sameName, zone])
    const siblings = zonesByAccount.get(zone.account.id)
    if (siblings === undefined) zonesByAccount.set(zone.account.id, new Set([zone]))
    else siblings.add(zone)
  }

  for (const zone of content.zones) insert(zone)
  return state
}

const NO_ZONES: ReadonlySet<SimZone> = new Set()
