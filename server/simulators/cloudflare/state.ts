import { hash32, hexId } from '../random.ts'
import type { RateWindow } from '../rate-window.ts'
import type { World } from '../world.ts'
import { nameServerPair } from '../world.ts'
import { createAbuseDesk } from './abuse-desk.ts'
import type { AbuseDesk } from './abuse-desk.ts'
import { createAuditLog } from './audit-log.ts'
import type { AuditLog } from './audit-log.ts'
import type {
  PlanId,
  SimAccessRule,
  SimAccount,
  SimList,
  SimListOperation,
  SimOriginCertificate,
  SimRedirectRules,
  SimToken,
  SimUser,
  SimZone,
  ZoneChanges,
} from './model.ts'

/** The simulator's state, with the few changes that tests make outside the panel. */
export class State {
  readonly world: World
  readonly now: () => number
  readonly usersById: Map<string, SimUser>
  readonly tokensByValue: Map<string, SimToken>
  readonly accountsById: Map<string, SimAccount>
  readonly zonesById = new Map<string, SimZone>()
  /** Incremented when a zone is added, deleted, or changes in a way that affects list filters and order. */
  zonesVersion = 0
  /** Incremented when credentials change. */
  credentialsVersion = 0
  /** The name servers at a domain's registrar; without an entry they point elsewhere. */
  readonly registrarNameServers = new Map<string, readonly string[]>()
  /** Names that have Cloudflare's DS record at their registrar. */
  readonly registrarDs = new Set<string>()
  readonly auditLog: AuditLog
  readonly abuse: AbuseDesk
  /** Names that Cloudflare refuses to add, with the reason. */
  readonly refusals = {
    /** 1049 */ unregistered: new Set<string>(),
    /** 1097 */ banned: new Set<string>(),
    /** 1098 */ temporarilyBanned: new Set<string>(),
    /** 1110 */ lookupFailing: new Set<string>(),
  }
  /** As Cloudflare may do in a phase that does not support it: `dry_run` is taken for a write. */
  ignoresDryRun = false
  /** Lists of redirects, operations on their items in order, and the rules that enable lists, by account. */
  readonly redirectLists = new Map<string, Map<string, SimList>>()
  readonly listOperations = new Map<string, SimListOperation[]>()
  readonly redirectRules = new Map<string, SimRedirectRules>()
  /** By the id of a zone or an account. */
  readonly accessRules = new Map<string, readonly SimAccessRule[]>()
  /** IP Access rules of an account and all its zones. */
  accessRuleLimit = 50_000
  /** By serial number, in the order in which they were issued. */
  readonly originCertificates = new Map<string, SimOriginCertificate>()
  /** How long an operation on a list takes. */
  listOperationMs = 200
  /** Zones created by each user, and attempts per name: times in milliseconds. */
  readonly creations = new Map<string, number[]>()
  readonly attempts = new Map<string, number[]>()
  /** The remaining tokens of each account's purge bucket; see `purge.ts`. */
  readonly purgeBuckets = new Map<string, { tokens: number; atMs: number }>()
  /** Imports of each user; see `dns-file.ts`. */
  readonly imports = new Map<string, RateWindow>()
  /** Analytics queries of each user; see `graphql.ts`. */
  readonly analytics = new Map<string, RateWindow>()
  /** Ids of zones whose traffic cannot be read. */
  readonly analyticsFailing = new Set<string>()
  /** What replaces the answer to every analytics query. */
  analyticsAnswer: object | null = null
  /** What replaces the usual figures of a zone on a date. */
  analyticsOf:
    | ((zone: SimZone, date: string) => { readonly requests?: number; readonly threats?: number; readonly serverErrors?: number })
    | null = null

  readonly #zonesByName = new Map<string, SimZone | SimZone[]>()
  readonly #zonesByAccount = new Map<string, Set<SimZone>>()
  /** How often a name was added before: a zone that is added again gets other name servers. */
  readonly #formerZones = new Map<string, number>()
  #made = 0

  /** Copies the world's content, so that a second state of the same world starts from the same content. */
  constructor(world: World, now: () => number) {
    this.world = world
    this.now = now
    this.auditLog = createAuditLog(world.seed, now)
    this.abuse = createAbuseDesk(world.seed, now)
    const content = world.content()
    this.usersById = new Map(content.users.map((user) => [user.id, user]))
    this.tokensByValue = new Map(content.tokens.map((token) => [token.value, token]))
    this.accountsById = new Map(content.accounts.map((account) => [account.id, account]))
    for (const zone of content.zones) this.#insert(zone)
  }

  #insert(zone: SimZone): void {
    this.zonesById.set(zone.id, zone)
    const sameName = this.#zonesByName.get(zone.name)
    if (sameName === undefined) this.#zonesByName.set(zone.name, zone)
    else this.#zonesByName.set(zone.name, Array.isArray(sameName) ? [...sameName, zone] : [sameName, zone])
    const siblings = this.#zonesByAccount.get(zone.account.id)
    if (siblings === undefined) this.#zonesByAccount.set(zone.account.id, new Set([zone]))
    else siblings.add(zone)
  }

  /** A unique number, for ids of created objects. */
  nextSerial(): number {
    this.#made++
    return hash32(this.world.seed, 900, this.#made)
  }

  nextId(): string {
    this.#made++
    return hexId(this.world.seed, 901, this.#made)
  }

  zonesNamed(name: string): readonly SimZone[] {
    const found = this.#zonesByName.get(name)
    return found === undefined ? [] : Array.isArray(found) ? found : [found]
  }

  zonesOfAccount(accountId: string): ReadonlySet<SimZone> {
    return this.#zonesByAccount.get(accountId) ?? NO_ZONES
  }

  getZone(zoneId: string): SimZone {
    const zone = this.zonesById.get(zoneId)
    if (zone === undefined) throw new Error(`no zone ${zoneId}`)
    return zone
  }

  addUser(user: SimUser): SimUser {
    this.usersById.set(user.id, user)
    this.credentialsVersion++
    return user
  }

  addToken(token: SimToken): SimToken {
    this.tokensByValue.set(token.value, token)
    this.credentialsVersion++
    return token
  }

  addAccount(account: SimAccount): SimAccount {
    this.accountsById.set(account.id, account)
    return account
  }

  addZone(zone: SimZone): SimZone {
    this.#insert(zone)
    this.zonesVersion++
    return zone
  }

  /** A new pending zone without records. */
  createZone(account: SimAccount, name: string, type: SimZone['type'], plan: PlanId = 'free'): SimZone {
    const former = this.#formerZones.get(name) ?? 0
    const nowMs = this.now()
    return this.addZone({
      id: this.nextId(),
      name,
      serial: this.nextSerial(),
      fromWorld: false,
      account,
      status: 'pending',
      paused: false,
      type,
      plan,
      developmentModeEndsMs: null,
      nameServers: former === 0 ? account.nameServers : nameServerPair(hash32(this.world.seed, 902, former, name.length)),
      originalNameServers: this.registrarNameServers.get(name) ?? ['dns1.registrar-servers.com', 'dns2.registrar-servers.com'],
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
  }

  removeZone(zoneId: string): void {
    const zone = this.getZone(zoneId)
    this.zonesById.delete(zoneId)
    this.#zonesByAccount.get(zone.account.id)?.delete(zone)
    const rest = this.zonesNamed(zone.name).filter((other) => other !== zone)
    if (rest.length === 0) this.#zonesByName.delete(zone.name)
    else this.#zonesByName.set(zone.name, rest)
    this.#formerZones.set(zone.name, (this.#formerZones.get(zone.name) ?? 0) + 1)
    this.zonesVersion++
  }

  /** As if the registrar's name servers had been changed and Cloudflare had detected it. */
  activate(zoneId: string): void {
    const zone = this.getZone(zoneId)
    this.registrarNameServers.set(zone.name, zone.nameServers)
    zone.status = 'active'
    zone.activatedOnMs ??= this.now()
    zone.modifiedOnMs = this.now()
    this.zonesVersion++
  }

  /** Revokes the global key of a user, as after "change" in the dashboard. */
  revokeKey(userId: string): void {
    const user = this.usersById.get(userId)
    if (user === undefined) throw new Error(`no user ${userId}`)
    user.globalKey = null
    this.credentialsVersion++
  }

  /** The stored changes of a zone, created on first use. */
  changesOf(zone: SimZone): ZoneChanges {
    zone.changes ??= { settings: new Map(), records: null, packs: null, universalSsl: null, bots: null, dnssec: null, rulesets: null }
    return zone.changes
  }

  touch(zone: SimZone): void {
    zone.modifiedOnMs = this.now()
  }

  /** The delegation in the simulated world: an active zone's name servers, or those still at the registrar of others. */
  registered(name: string): readonly string[] | null {
    const zones = this.zonesNamed(name)
    const active = zones.find((zone) => zone.status === 'active')
    return active?.nameServers ?? this.registrarNameServers.get(name) ?? zones[0]?.originalNameServers ?? null
  }
}

const NO_ZONES: ReadonlySet<SimZone> = new Set()
