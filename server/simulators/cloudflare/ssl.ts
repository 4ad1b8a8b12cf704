import type { CertificatePackListResponse } from 'cloudflare/resources/ssl/certificate-packs/certificate-packs'

import { between, hash32, hexId, pickWeighted, randomFrom } from '../random.ts'
import { bodyOf, choiceOf, pageOf, slicePage } from './call.ts'
import type { Call } from './call.ts'
import type { CertificatePack, SimZone } from './model.ts'
import { ok, refuse } from './reply.ts'
import type { Reply } from './reply.ts'
import type { State } from './state.ts'
import { isoTime } from './zone-view.ts'

const DAY_MS = 86_400_000
const METHODS = ['http', 'cname', 'txt', 'email'] as const
const ISSUERS = { google: 'GoogleTrustServices', lets_encrypt: 'LetsEncrypt', ssl_com: 'SSLcom' } as const

/** GET /zones/{zone}/ssl/universal/settings */
export function getUniversal(_call: Call, zone: SimZone): Reply {
  return ok({ enabled: universalEnabled(zone) })
}

/** PATCH /zones/{zone}/ssl/universal/settings: off deletes the certificate, on orders a new one. */
export function editUniversal(call: Call, zone: SimZone): Reply {
  const enabled = bodyOf(call)['enabled']
  if (typeof enabled !== 'boolean') throw refuse(400, 1001, 'Invalid value for enabled')
  if (enabled !== universalEnabled(zone)) {
    const packs = packsOf(call.state, zone).map((pack) => (pack.type === 'universal' ? { ...pack, status: 'deleted' as const } : pack))
    const changes = call.state.changesOf(zone)
    changes.universalSsl = enabled
    changes.packs = enabled ? [...packs, universalPack(zone, call.state.nextId(), 'initializing', call.nowMs)] : packs
    call.state.touch(zone)
  }
  return ok({ enabled })
}

/** GET /zones/{zone}/ssl/certificate_packs: only active ones without `status=all`, which also lists deleted ones. */
export function listPacks(call: Call, zone: SimZone): Reply {
  const all = choiceOf(call.query, 'status', ['all']) === 'all'
  const packs = packsOf(call.state, zone).filter((pack) => all || pack.status === 'active')
  const { items, info } = slicePage(packs, pageOf(call.query, { min: 5, max: 50, fallback: 20 }))
  return ok(items.map(packView), info)
}

/** GET /zones/{zone}/ssl/certificate_packs/{pack} */
export function getPack(call: Call, zone: SimZone): Reply {
  return ok(packView(findPack(call, zone)))
}

/** GET /zones/{zone}/ssl/certificate_packs/quota */
export function getPackQuota(_call: Call, zone: SimZone): Reply {
  return ok({ advanced: { allocated: zone.plan === 'enterprise' ? 100 : 0, used: 0 } })
}

/** GET /zones/{zone}/ssl/verification; `retry=true` checks again, after which an initializing certificate is issued. */
export function getVerification(call: Call, zone: SimZone): Reply {
  if (call.query.get('retry') === 'true' && zone.status === 'active') {
    const packs = packsOf(call.state, zone)
    if (packs.some((pack) => pack.status === 'initializing' || pack.status === 'pending_validation'))
      call.state.changesOf(zone).packs = packs.map((pack) =>
        pack.status === 'initializing' || pack.status === 'pending_validation' ? { ...pack, status: 'active' } : pack,
      )
  }
  return ok(
    packsOf(call.state, zone)
      .filter(({ status }) => status !== 'deleted')
      .map((pack) => verificationView(pack, zone)),
  )
}

/** PATCH /zones/{zone}/ssl/verification/{pack}: another method, and a retry. */
export function editVerification(call: Call, zone: SimZone): Reply {
  const method = METHODS.find((known) => known === bodyOf(call)['validation_method'])
  if (method === undefined) throw refuse(400, 1001, 'Invalid validation method')
  const pack = findPack(call, zone)
  const status = pack.status === 'active' ? 'active' : 'pending_validation'
  call.state.changesOf(zone).packs = packsOf(call.state, zone).map((other) =>
    other.id === pack.id ? { ...other, validationMethod: method, status } : other,
  )
  return ok({ status: 'pending_validation', validation_method: method })
}

function findPack(call: Call, zone: SimZone): CertificatePack {
  const pack = packsOf(call.state, zone).find((other) => other.id === call.param.replaceAll('-', ''))
  if (pack === undefined) throw refuse(404, 1002, 'Certificate pack not found')
  return pack
}

function universalEnabled(zone: SimZone): boolean {
  return zone.changes?.universalSsl ?? (!zone.fromWorld || hash32(zone.serial, 60) % 100 >= 3)
}

function packsOf(state: State, zone: SimZone): CertificatePack[] {
  const written = zone.changes?.packs
  if (written != null) return written
  if (!universalEnabled(zone)) return []
  const random = randomFrom(hash32(zone.serial, 61))
  const status =
    zone.status === 'active'
      ? pickWeighted(random, [
          ['active', 95],
          ['pending_validation', 3],
          ['validation_timed_out', 1],
          ['expired', 1],
        ] as const)
      : 'initializing'
  const uploadedOnMs = state.world.nowMs - (status === 'expired' ? 95 : between(random, 1, 80)) * DAY_MS
  return [universalPack(zone, hexId(zone.serial, 62), status, uploadedOnMs)]
}

function universalPack(zone: SimZone, id: string, status: CertificatePack['status'], uploadedOnMs: number): CertificatePack {
  return {
    id,
    type: 'universal',
    hosts: [zone.name, `*.${zone.name}`],
    status,
    authority: hash32(zone.serial, 63) % 3 === 0 ? 'lets_encrypt' : 'google',
    validationMethod: 'txt',
    validityDays: 90,
    uploadedOnMs,
    expiresOnMs: uploadedOnMs + 90 * DAY_MS,
  }
}

function packView(pack: CertificatePack): CertificatePackListResponse {
  const issued = pack.status === 'active' || pack.status === 'expired'
  return {
    id: pack.id,
    type: pack.type,
    hosts: [...pack.hosts],
    primary_certificate: issued ? certificateId(pack) : '0',
    status: pack.status,
    certificate_authority: pack.authority,
    // The package has no packs validated by CNAME; the method of the order is in the verification.
    validation_method: pack.validationMethod === 'cname' ? 'txt' : pack.validationMethod,
    validity_days: pack.validityDays,
    cloudflare_branding: false,
    validation_records: pack.status === 'pending_validation' ? [validationRecord(pack)] : [],
    validation_errors: pack.status === 'validation_timed_out' ? [{ message: 'SERVFAIL looking up CAA for the domain' }] : [],
    certificates: issued ? [certificateView(pack)] : [],
  }
}

function certificateView(pack: CertificatePack) {
  return {
    id: certificateId(pack),
    hosts: [...pack.hosts],
    issuer: ISSUERS[pack.authority],
    signature: 'ECDSAWithSHA256',
    status: pack.status,
    bundle_method: 'ubiquitous',
    uploaded_on: isoTime(pack.uploadedOnMs),
    modified_on: isoTime(pack.uploadedOnMs),
    expires_on: isoTime(pack.expiresOnMs),
    priority: 0,
  }
}

function certificateId(pack: CertificatePack): string {
  return hexId(Number.parseInt(pack.id.slice(0, 8), 16), 64)
}

function validationRecord(pack: CertificatePack) {
  return { status: 'pending', txt_name: `_acme-challenge.${pack.hosts[0] ?? ''}`, txt_value: certificateId(pack) }
}

function verificationView(pack: CertificatePack, zone: SimZone) {
  const statuses = {
    initializing: 'initializing',
    pending_validation: 'authorizing',
    active: 'active',
    expired: 'expired',
    validation_timed_out: 'timing_out',
    deleted: 'deleted',
  } as const
  return {
    certificate_status: statuses[pack.status],
    brand_check: false,
    cert_pack_uuid: uuidOf(pack.id),
    signature: 'ECDSAWithSHA256',
    validation_method: pack.validationMethod,
    verification_status: pack.status === 'active',
    verification_type: 'cname',
    verification_info: { record_name: `_acme-challenge.${zone.name}`, record_target: `${zone.name}.dcv.example.net` },
  }
}

function uuidOf(id: string): string {
  return [id.slice(0, 8), id.slice(8, 12), id.slice(12, 16), id.slice(16, 20), id.slice(20)].join('-')
}
