import type { DNSSEC } from 'cloudflare/resources/dns/dnssec/dnssec'

import { hash32, hexId } from '../random.ts'
import { bodyOf } from './call.ts'
import type { Call } from './call.ts'
import type { SimZone } from './model.ts'
import type { State } from './state.ts'
import type { DsRecord } from '../dns.ts'
import { ok, refuse } from './reply.ts'
import type { Reply } from './reply.ts'
import { isoTime } from './zone-view.ts'

/** GET /zones/{zone}/dnssec */
export function getDnssec(call: Call, zone: SimZone): Reply {
  return ok(view(call, zone))
}

/** PATCH /zones/{zone}/dnssec: the DS record is in the answer; whether the registrar has it decides about the rest of the status. */
export function editDnssec(call: Call, zone: SimZone): Reply {
  const status = bodyOf(call)['status']
  if (status !== 'active' && status !== 'disabled') throw refuse(400, 1001, 'Invalid value for status')
  const enabled = status === 'active'
  if (zone.changes?.dnssec?.enabled !== enabled) {
    call.state.changesOf(zone).dnssec = { enabled, modifiedOnMs: call.nowMs }
    call.state.touch(zone)
  }
  return ok(view(call, zone))
}

const dsOf = (zone: SimZone): DsRecord => ({
  keyTag: hash32(zone.serial, 66) % 65_536,
  algorithm: 13,
  digestType: 2,
  digest: `${hexId(zone.serial, 67)}${hexId(zone.serial, 68)}`.toUpperCase(),
})

/** The key of a name that is signed elsewhere. */
const otherDs: DsRecord = { keyTag: 4_711, algorithm: 8, digestType: 2, digest: 'AB'.repeat(32) }

/** What public DNS has: the DS record that a person gave to the registrar; null if the name does not exist. */
export function publishedDs(state: State, name: string): readonly DsRecord[] | null {
  const [zone] = state.zonesNamed(name)
  if (state.registrarDs.has(name)) return [zone === undefined ? otherDs : dsOf(zone)]
  return state.registered(name) === null ? null : []
}

function view({ state }: Call, zone: SimZone): DNSSEC {
  const dnssec = zone.changes?.dnssec ?? null
  // Never enabled.
  if (dnssec === null) return { status: 'disabled', modified_on: null }
  const registered = state.registrarDs.has(zone.name)
  const { keyTag, digest } = dsOf(zone)
  return {
    status: dnssec.enabled ? (registered ? 'active' : 'pending') : registered ? 'pending-disabled' : 'disabled',
    flags: 257,
    algorithm: '13',
    key_type: 'ECDSAP256SHA256',
    digest_type: '2',
    digest_algorithm: 'SHA256',
    digest,
    ds: `${zone.name}. 3600 IN DS ${keyTag} 13 2 ${digest}`,
    key_tag: keyTag,
    public_key: Buffer.from(`${digest}${digest}`, 'hex').toString('base64'),
    modified_on: isoTime(dnssec.modifiedOnMs),
  }
}
