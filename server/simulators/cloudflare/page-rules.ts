import { hash32, hexId } from '../random.ts'
import type { Call } from './call.ts'
import type { SimZone } from './model.ts'
import { ok } from './reply.ts'
import type { Reply } from './reply.ts'
import { isoTime } from './zone-view.ts'

/** GET /zones/{zone}/pagerules: one zone in ten has an old forwarding rule. */
export function listPageRules(_call: Call, zone: SimZone): Reply {
  if (!zone.fromWorld || hash32(zone.serial, 70) % 10 !== 0) return ok([])
  return ok([
    {
      id: hexId(zone.serial, 71),
      targets: [{ target: 'url', constraint: { operator: 'matches', value: `*${zone.name}/old/*` } }],
      actions: [{ id: 'forwarding_url', value: { url: `https://${zone.name}/$2`, status_code: 301 } }],
      priority: 1,
      status: 'active',
      created_on: isoTime(zone.createdOnMs),
      modified_on: isoTime(zone.modifiedOnMs),
    },
  ])
}
