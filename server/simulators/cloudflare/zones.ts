import { bodyOf } from './call.ts'
import type { Call } from './call.ts'
import type { SimZone } from './model.ts'
import { ok, okText, refuse } from './reply.ts'
import type { Reply } from './reply.ts'
import { zoneText } from './zone-view.ts'

const EDITABLE = ['paused', 'type', 'vanity_name_servers', 'plan'] as const
const ACTIVATION_CHECK_EVERY_MS = { free: 3_600_000, paid: 300_000 } as const

/** GET /zones/{zone} */
export function getZoneDetails(call: Call, zone: SimZone): Reply {
  return okText(zoneText(zone, call.nowMs))
}

/** PATCH /zones/{zone}: one property a call. */
export function editZone(call: Call, zone: SimZone): Reply {
  const body = bodyOf(call)
  const given = EDITABLE.filter((name) => name in body)
  if (given.length !== 1) throw refuse(400, 1085, 'Only one zone property can be changed at a time')
  switch (given[0]) {
    case 'paused':
      if (typeof body['paused'] !== 'boolean') throw refuse(400, 1019, 'Invalid value for paused')
      zone.paused = body['paused']
      break
    case 'vanity_name_servers': {
      const names = body['vanity_name_servers']
      if (zone.plan !== 'business' && zone.plan !== 'enterprise')
        throw refuse(403, 1083, 'Not allowed to edit vanity name servers for this zone')
      if (!isTextList(names)) throw refuse(400, 1074, 'Invalid vanity name servers')
      zone.vanityNameServers = names
      break
    }
    case 'type':
      if (zone.plan !== 'enterprise') throw refuse(403, 1104, 'Partial zone signup not allowed')
      if (body['type'] !== 'full' && body['type'] !== 'partial') throw refuse(400, 1020, 'Invalid zone type')
      zone.type = body['type']
      call.state.zonesVersion++
      break
    default:
      throw refuse(403, 1068, 'Permission denied')
  }
  call.state.touch(zone)
  return okText(zoneText(zone, call.nowMs))
}

/** DELETE /zones/{zone} */
export function deleteZone(call: Call, zone: SimZone): Reply {
  call.state.removeZone(zone.id)
  return ok({ id: zone.id })
}

/** PUT /zones/{zone}/activation_check: checks the registrar immediately; rarely permitted. */
export function checkActivation(call: Call, zone: SimZone): Reply {
  const everyMs = zone.plan === 'free' ? ACTIVATION_CHECK_EVERY_MS.free : ACTIVATION_CHECK_EVERY_MS.paid
  if (zone.lastActivationCheckMs !== null && call.nowMs - zone.lastActivationCheckMs < everyMs)
    throw refuse(400, 1224, 'You may only perform this action once per hour.')
  zone.lastActivationCheckMs = call.nowMs
  const atRegistrar = call.state.registrarNameServers.get(zone.name)
  if (zone.status !== 'active' && zone.nameServers.every((server) => atRegistrar?.includes(server) === true)) call.state.activate(zone.id)
  return ok({ id: zone.id })
}

/** GET /zones/{zone}/hold */
export function getHold(_call: Call, zone: SimZone): Reply {
  return ok({ hold: zone.hold, include_subdomains: 'false' })
}

function isTextList(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string')
}
