import type { PlanId, SimAccount, SimZone } from './model.ts'

const PLANS: Readonly<
  Record<PlanId, { readonly view: object; readonly pageRules: number; readonly certificates: number; readonly id: string }>
> = {
  free: plan('0feeeeeeeeeeeeeeeeeeeeeeeeeeeeee', 'Free Website', 'free', 0, 3, 0),
  pro: plan('1d5fdc9e88c8a8c4518b068cd94331fe', 'Pro Website', 'pro', 25, 20, 0),
  business: plan('33f6d7a8d2a28c0a3d0a5d1a9a5f3a0b', 'Business Website', 'business', 250, 50, 1),
  enterprise: plan('94f3b7b768b0458b56d2cac4fe5ec0f9', 'Enterprise Website', 'enterprise', 0, 125, 10),
}

// Deprecated, still sent.
const PERMISSIONS = ['#zone:read', '#zone:edit', '#dns_records:read', '#dns_records:edit', '#zone_settings:edit']

const tailTexts = new WeakMap<SimAccount, Map<string, string>>()
const serversTexts = new WeakMap<readonly string[], string>()

/** A zone as returned by list, get, create and edit, as JSON text. Written by hand, because lists of zones are most of the traffic. */
export function zoneText(zone: SimZone, nowMs: number): string {
  const vanity = zone.vanityNameServers.length === 0 ? '' : `"vanity_name_servers":${JSON.stringify(zone.vanityNameServers)},`
  const verification = zone.type === 'partial' ? `"verification_key":"284344499-${zone.serial}","cname_suffix":"cdn.cloudflare.net",` : ''
  return (
    `{"id":"${zone.id}","name":"${zone.name}","status":"${zone.status}","paused":${zone.paused},"type":"${zone.type}",` +
    `"development_mode":${developmentModeSeconds(zone, nowMs)},"name_servers":${serversText(zone.nameServers)},` +
    `"original_name_servers":${zone.originalNameServers === null ? 'null' : serversText(zone.originalNameServers)},` +
    `"original_registrar":${zone.originalRegistrar === null ? 'null' : `"${zone.originalRegistrar}"`},` +
    `"original_dnshost":null,${vanity}${verification}"modified_on":"${isoTime(zone.modifiedOnMs)}","created_on":"${isoTime(zone.createdOnMs)}",` +
    `"activated_on":${zone.activatedOnMs === null ? 'null' : `"${isoTime(zone.activatedOnMs)}"`},` +
    tailText(zone)
  )
}

/** Seconds left (above 0), seconds since it ended (below 0), or 0 if it was never used. */
export function developmentModeSeconds(zone: SimZone, nowMs: number): number {
  if (zone.developmentModeEndsMs === null) return 0
  return Math.trunc((zone.developmentModeEndsMs - nowMs) / 1000)
}

export function planIdOf(zone: SimZone): string {
  return PLANS[zone.plan].id
}

const DAY_MS = 86_400_000
const dayTexts = new Map<number, string>()

/** The result of `toISOString`, several times faster: lists of zones are mostly dates. */
export function isoTime(atMs: number): string {
  const day = Math.floor(atMs / DAY_MS)
  let dayText = dayTexts.get(day)
  if (dayText === undefined) {
    dayText = new Date(day * DAY_MS).toISOString().slice(0, 11)
    dayTexts.set(day, dayText)
  }
  const ms = Math.floor(atMs) - day * DAY_MS
  const seconds = Math.floor(ms / 1000)
  return `${dayText}${TWO_DIGITS[Math.floor(seconds / 3600)]}:${TWO_DIGITS[Math.floor(seconds / 60) % 60]}:${TWO_DIGITS[seconds % 60]}.${THREE_DIGITS[ms % 1000]}`
}

const TWO_DIGITS = Array.from({ length: 60 }, (_, number) => String(number).padStart(2, '0'))
const THREE_DIGITS = Array.from({ length: 1000 }, (_, number) => `${String(number).padStart(3, '0')}Z`)

/** The common part of zones of one account and plan, created once. */
function tailText(zone: SimZone): string {
  let tails = tailTexts.get(zone.account)
  if (tails === undefined) {
    tails = new Map()
    tailTexts.set(zone.account, tails)
  }
  const step = zone.status === 'active' ? 4 : 2
  const key = `${zone.plan}${step}${zone.phishing}`
  const known = tails.get(key)
  if (known !== undefined) return known
  const plan = PLANS[zone.plan]
  const meta = {
    step,
    custom_certificate_quota: plan.certificates,
    page_rule_quota: plan.pageRules,
    phishing_detected: zone.phishing,
    cdn_only: false,
    dns_only: false,
    foundation_dns: false,
  }
  const tail = {
    meta,
    owner: { id: null, type: 'user', email: null },
    account: { id: zone.account.id, name: zone.account.name },
    tenant: { id: null, name: null },
    tenant_unit: { id: null },
    permissions: PERMISSIONS,
    plan: plan.view,
  }
  const text = JSON.stringify(tail).slice(1)
  tails.set(key, text)
  return text
}

/** Many zones share one pair of name servers. */
function serversText(servers: readonly string[]): string {
  let text = serversTexts.get(servers)
  if (text === undefined) {
    text = JSON.stringify(servers)
    serversTexts.set(servers, text)
  }
  return text
}

function plan(id: string, name: string, legacyId: PlanId, price: number, pageRules: number, certificates: number) {
  const view = {
    id,
    name,
    price,
    currency: 'USD',
    frequency: price === 0 ? '' : 'monthly',
    is_subscribed: legacyId !== 'free',
    can_subscribe: false,
    legacy_id: legacyId,
    legacy_discount: false,
    externally_managed: false,
  }
  return { view, pageRules, certificates, id }
}
