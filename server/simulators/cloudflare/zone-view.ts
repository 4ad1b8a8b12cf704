import type { PlanId, SimAccount, SimZone } from './model.ts'

const PLANS: Readonly<
  Record<PlanId, { readonly json: string; readonly pageRules: number; readonly certificates: number; readonly id: string }>
> = {
  free: plan('0feeeeeeeeeeeeeeeeeeeeeeeeeeeeee', 'Free Website', 'free', 0, 3, 0),
  pro: plan('1d5fdc9e88c8a8c4518b068cd94331fe', 'Pro Website', 'pro', 25, 20, 0),
  business: plan('33f6d7a8d2a28c0a3d0a5d1a9a5f3a0b', 'Business Website', 'business', 250, 50, 1),
  enterprise: plan('94f3b7b768b0458b56d2cac4fe5ec0f9', 'Enterprise Website', 'enterprise', 0, 125, 10),
}

// Deprecated, still sent.
const PERMISSIONS = JSON.stringify(['#zone:read', '#zone:edit', '#dns_records:read', '#dns_records:edit', '#zone_settings:edit'])

const accountTexts = new WeakMap<SimAccount, string>()

/** The zone as list, get, create and edit answer it, as JSON text. Written by hand: lists of it are most of the traffic. */
export function zoneText(zone: SimZone, nowMs: number): string {
  const plan = PLANS[zone.plan]
  const vanity = zone.vanityNameServers.length === 0 ? '' : `"vanity_name_servers":${JSON.stringify(zone.vanityNameServers)},`
  const verification = zone.type === 'partial' ? `"verification_key":"284344499-${zone.serial}","cname_suffix":"cdn.cloudflare.net",` : ''
  return (
    `{"id":"${zone.id}","name":"${zone.name}","status":"${zone.status}","paused":${zone.paused},"type":"${zone.type}",` +
    `"development_mode":${developmentModeSeconds(zone, nowMs)},"name_servers":${JSON.stringify(zone.nameServers)},` +
    `"original_name_servers":${JSON.stringify(zone.originalNameServers)},"original_registrar":${JSON.stringify(zone.originalRegistrar)},` +
    `"original_dnshost":null,${vanity}${verification}"modified_on":"${isoTime(zone.modifiedOnMs)}","created_on":"${isoTime(zone.createdOnMs)}",` +
    `"activated_on":${zone.activatedOnMs === null ? 'null' : `"${isoTime(zone.activatedOnMs)}"`},` +
    `"meta":{"step":${zone.status === 'active' ? 4 : 2},"custom_certificate_quota":${plan.certificates},"page_rule_quota":${plan.pageRules},` +
    `"phishing_detected":${zone.phishing},"cdn_only":false,"dns_only":false,"foundation_dns":false},` +
    `"owner":{"id":null,"type":"user","email":null},"account":${accountText(zone.account)},` +
    `"tenant":{"id":null,"name":null},"tenant_unit":{"id":null},"permissions":${PERMISSIONS},"plan":${plan.json}}`
  )
}

/** Seconds left (above 0), seconds since it ended (below 0), or 0 when it was never used. */
export function developmentModeSeconds(zone: SimZone, nowMs: number): number {
  if (zone.developmentModeEndsMs === null) return 0
  return Math.trunc((zone.developmentModeEndsMs - nowMs) / 1000)
}

export function planIdOf(zone: SimZone): string {
  return PLANS[zone.plan].id
}

export function isoTime(atMs: number): string {
  return new Date(atMs).toISOString()
}

function accountText(account: SimAccount): string {
  const known = accountTexts.get(account)
  if (known !== undefined) return known
  const text = JSON.stringify({ id: account.id, name: account.name })
  accountTexts.set(account, text)
  return text
}

function plan(id: string, name: string, legacyId: PlanId, price: number, pageRules: number, certificates: number) {
  const json = JSON.stringify({
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
  })
  return { json, pageRules, certificates, id }
}
