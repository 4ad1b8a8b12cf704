import { domainToASCII } from 'node:url'

import { hash32, hexId } from '../random.ts'
import { bodyOf, pageOf, slicePage } from './call.ts'
import type { Call } from './call.ts'
import { getZone, mayUseZone, requirePermission } from './caller.ts'
import type { Permission, SimOriginCertificate, SimZone } from './model.ts'
import { CloudflareError, ok, refuse } from './reply.ts'
import type { Reply } from './reply.ts'
import { exampleRequest, openRequest, signOriginCertificate } from './origin-signing.ts'
import { isoTime } from './zone-view.ts'

/**
 * Origin CA. Paths and fields are those of the `cloudflare` package 7.3.0. From public sources:
 * - `expires_on` is a Go time, `2020-12-25 06:27:00 +0000 UTC`, or RFC 3339: cloudflare/origin-ca-issuer, `internal/cfapi/cfapi_test.go`.
 * - The id is the serial number in decimal, and a revoked certificate has `revoked_at`: cloudflare/terraform-provider-cloudflare,
 *   `resource_cloudflare_origin_ca_certificate.go`, which also shows 1101 for an unknown one.
 * - Codes 1002 to 1014 and their texts: the list of Cloudflare's API v4 document, as copied into PHP clients of it; 1005 with the limit of
 *   today's documentation. 1010 with its current text: Cloudflare's page "Troubleshooting Origin CA". 1016: cloudflare/origin-ca-issuer,
 *   issue 65. The HTTP statuses of refusals are assumed.
 */
const VALIDITIES = [7, 30, 90, 365, 730, 1095, 5475]
const REQUEST_TYPES = ['origin-rsa', 'origin-ecc', 'keyless-certificate'] as const
const HOSTNAMES_MAX = 200
const DAY_MS = 86_400_000

/** GET /certificates?zone_id=… */
export async function listOriginCertificates(call: Call): Promise<Reply> {
  require(call, 'ssl:read')
  const zoneId = call.query.get('zone_id')
  if (zoneId === null || zoneId === '')
    throw refuse(400, 1012, 'Please provide a zone id when requesting a stored certificate, or fetch by serial number.')
  const zone = getZone(call.state, call.caller, zoneId)
  const page = pageOf(call.query, { min: 5, max: 50, fallback: 20 })
  await addEarlierOne(call, zone)
  const theirs = [...call.state.originCertificates.values()].filter(
    ({ hostnames, revokedOnMs }) => revokedOnMs === null && hostnames.some((name) => isWithin(name, zone)),
  )
  const { items, info } = slicePage(theirs.toReversed(), page)
  return ok(items.map(view), info)
}

/** POST /certificates */
export async function issueOriginCertificate(call: Call): Promise<Reply> {
  require(call, 'ssl:edit')
  const body = bodyOf(call)
  const hostnames = hostnamesOf(body['hostnames'])
  const requestType = REQUEST_TYPES.find((type) => type === body['request_type'])
  if (requestType === undefined) throw refuse(400, 1002, 'Unsupported request_type.')
  const validityDays = body['requested_validity'] ?? 5475
  if (typeof validityDays !== 'number' || !VALIDITIES.includes(validityDays))
    throw refuse(
      400,
      1009,
      'Permitted values for the *requested_validity* parameter (specified in days) are: 7, 30, 90, 365, 730, 1095, and 5475 (default).',
    )
  const { csr } = body
  if (typeof csr !== 'string' || !csr.includes('-----BEGIN')) throw refuse(400, 1007, 'CSR parsed as empty.')
  for (const name of hostnames) requireOwnName(call, name)
  const request = openRequest(csr)
  if (request === null) throw refuse(400, 1011, 'Failed to parse CSR.')
  const made = await sign({ csr, hostnames, requestType, validityDays, fromMs: call.nowMs, id: serialOf(call.state.nextId()) })
  call.state.originCertificates.set(made.id, made)
  return ok(view(made))
}

/** GET /certificates/{certificate} */
export function getOriginCertificate(call: Call): Reply {
  require(call, 'ssl:read')
  const found = find(call)
  return ok({ ...view(found), ...(found.revokedOnMs === null ? {} : { revoked_at: isoTime(found.revokedOnMs) }) })
}

/** DELETE /certificates/{certificate} revokes it. */
export function revokeOriginCertificate(call: Call): Reply {
  require(call, 'ssl:edit')
  const found = find(call)
  if (found.revokedOnMs !== null) throw refuse(400, 1014, 'Certificate already revoked.')
  found.revokedOnMs = call.nowMs
  return ok({ id: found.id, revoked_at: isoTime(call.nowMs) })
}

/** A token without the permission gets 1016 here, not the general 10000. */
function require({ caller, nowMs }: Call, permission: Permission): void {
  try {
    requirePermission(caller, [permission], nowMs)
  } catch (error) {
    if (error instanceof CloudflareError && error.errors[0]?.code === 10000)
      throw refuse(403, 1016, 'User is not authorized to perform this action')
    throw error
  }
}

function find(call: Call): SimOriginCertificate {
  const found = call.state.originCertificates.get(call.param)
  if (found === undefined || !found.hostnames.some((name) => zoneOf(call, name) !== null))
    throw refuse(404, 1101, 'Failed to read certificate from Database')
  return found
}

function hostnamesOf(value: unknown): readonly string[] {
  if (!Array.isArray(value) || value.length === 0 || value.some((name) => typeof name !== 'string'))
    throw refuse(400, 1004, 'Failed to parse request JSON.')
  if (value.length > HOSTNAMES_MAX)
    throw refuse(400, 1005, `Too many hostnames requested - you may only request up to ${HOSTNAMES_MAX} per certificate.`)
  return (value as string[]).map((name) => (name.startsWith('*.') ? `*.${domainToASCII(name.slice(2))}` : domainToASCII(name)))
}

/** Without `*.`; empty for a wildcard elsewhere, or above a domain of one label. */
function baseOf(name: string): string {
  const base = name.startsWith('*.') ? name.slice(2) : name
  return base.includes('*') || !base.includes('.') ? '' : base
}

function isWithin(name: string, zone: SimZone): boolean {
  const base = baseOf(name)
  return base === zone.name || base.endsWith(`.${zone.name}`)
}

function zoneOf({ state, caller }: Call, name: string): SimZone | null {
  for (let base = baseOf(name); base.includes('.'); base = base.slice(base.indexOf('.') + 1)) {
    const zone = state.zonesNamed(base).find((each) => mayUseZone(caller, each))
    if (zone !== undefined) return zone
  }
  return null
}

function requireOwnName(call: Call, name: string): void {
  if (zoneOf(call, name) === null)
    throw refuse(
      400,
      1010,
      `Failed to validate requested hostname ${name}: This zone is either not part of your account, or you do not have access to it. Please contact support if using a multi-user organization.`,
    )
}

/** One domain in three has a certificate from before the panel. */
async function addEarlierOne(call: Call, zone: SimZone): Promise<void> {
  if (!zone.fromWorld || !call.state.world.hasRules || hash32(zone.serial, 80) % 3 !== 0) return
  const id = serialOf(hexId(zone.serial, 81))
  if (call.state.originCertificates.has(id)) return
  const validityDays = VALIDITIES[3 + (hash32(zone.serial, 82) % 4)] ?? 365
  const fromMs = call.state.world.nowMs - (hash32(zone.serial, 83) % validityDays) * DAY_MS
  const csr = await exampleRequest()
  const made = await sign({ csr, hostnames: [zone.name, `*.${zone.name}`], requestType: 'origin-ecc', validityDays, fromMs, id })
  // Another request may have been faster.
  if (!call.state.originCertificates.has(id)) call.state.originCertificates.set(id, made)
}

type Order = Pick<SimOriginCertificate, 'id' | 'csr' | 'hostnames' | 'requestType' | 'validityDays'> & { readonly fromMs: number }

async function sign({ fromMs, ...order }: Order): Promise<SimOriginCertificate> {
  const expiresOnMs = Math.floor((fromMs + order.validityDays * DAY_MS) / 60_000) * 60_000
  const certificate = await signOriginCertificate({ ...order, fromMs, untilMs: expiresOnMs })
  return { ...order, certificate, expiresOnMs, revokedOnMs: null }
}

/** Positive and of 160 bits at most. */
const serialOf = (id: string): string => BigInt(`0x4${id}`).toString()

/** As Go writes a time by default. */
const goTime = (ms: number): string =>
  new Date(ms)
    .toISOString()
    .replace('T', ' ')
    .replace(/\.\d+Z$/, ' +0000 UTC')

function view({ id, certificate, csr, hostnames, requestType, validityDays, expiresOnMs }: SimOriginCertificate) {
  return {
    id,
    certificate,
    expires_on: goTime(expiresOnMs),
    request_type: requestType,
    hostnames: [...hostnames],
    csr,
    requested_validity: validityDays,
  }
}
