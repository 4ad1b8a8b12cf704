import type { BotManagementGetResponse } from 'cloudflare/resources/bot-management/bot-management'

import { hash32 } from '../random.ts'
import { bodyOf } from './call.ts'
import type { Call } from './call.ts'
import type { PlanId, SimZone } from './model.ts'
import { ok, refuse } from './reply.ts'
import type { Reply } from './reply.ts'

type Check = (value: unknown) => boolean
const isFlag: Check = (value) => typeof value === 'boolean'
const oneOf =
  (...values: readonly unknown[]): Check =>
  (value) =>
    values.includes(value)
const action = oneOf('allow', 'block', 'managed_challenge')

/** Of every plan. */
const COMMON: Readonly<Record<string, Check>> = {
  ai_bots_protection: oneOf('block', 'disabled', 'only_on_ad_pages'),
  crawler_protection: oneOf('enabled', 'disabled'),
  enable_js: isFlag,
  is_robots_txt_managed: isFlag,
}
const SUPER_BOTS: Readonly<Record<string, Check>> = {
  ...COMMON,
  optimize_wordpress: isFlag,
  sbfm_definitely_automated: action,
  sbfm_static_resource_protection: isFlag,
  sbfm_verified_bots: oneOf('allow', 'block'),
}
const FIELDS: Readonly<Record<PlanId, Readonly<Record<string, Check>>>> = {
  free: { ...COMMON, fight_mode: isFlag },
  pro: SUPER_BOTS,
  business: { ...SUPER_BOTS, sbfm_likely_automated: action },
  enterprise: { ...COMMON, ai_bots_protection: oneOf('block', 'disabled'), auto_update_model: isFlag, suppress_session_score: isFlag },
}

/** GET /zones/{zone}/bot_management */
export function getBotManagement(_call: Call, zone: SimZone): Reply {
  return ok(view(zone))
}

/** PUT /zones/{zone}/bot_management: fields that are not sent keep their values. */
export function putBotManagement(call: Call, zone: SimZone): Reply {
  const body = bodyOf(call)
  const fields = FIELDS[zone.plan]
  for (const [name, value] of Object.entries(body)) {
    const check = Object.hasOwn(fields, name) ? fields[name] : undefined
    // The number is not documented.
    if (check === undefined) throw refuse(400, 1001, `${name} is not available on the plan of this zone`)
    if (!check(value)) throw refuse(400, 1001, `Invalid value for ${name}`)
  }
  const changes = call.state.changesOf(zone)
  changes.bots = { ...changes.bots, ...body }
  call.state.touch(zone)
  return ok(view(zone))
}

function view(zone: SimZone): BotManagementGetResponse {
  const values: Readonly<Record<string, unknown>> = { ...initialValues(zone), ...zone.changes?.bots }
  const fields = Object.keys(FIELDS[zone.plan]).map((name) => [name, values[name]])
  return { ...(Object.fromEntries(fields) as BotManagementGetResponse), using_latest_model: true }
}

/** Zones of the world differ, new ones have the defaults. */
function initialValues(zone: SimZone): Readonly<Record<string, unknown>> {
  const chance = zone.fromWorld ? hash32(zone.serial, 65) % 100 : 99
  return {
    fight_mode: chance < 12,
    ai_bots_protection: chance % 10 < 2 ? 'block' : chance % 10 < 4 ? 'only_on_ad_pages' : 'disabled',
    crawler_protection: chance < 6 ? 'enabled' : 'disabled',
    is_robots_txt_managed: chance % 7 === 0,
    enable_js: true,
    optimize_wordpress: false,
    sbfm_definitely_automated: 'allow',
    sbfm_likely_automated: 'allow',
    sbfm_static_resource_protection: false,
    sbfm_verified_bots: 'allow',
    auto_update_model: true,
    suppress_session_score: false,
  }
}
