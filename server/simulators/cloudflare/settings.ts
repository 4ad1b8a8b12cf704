import { bodyOf } from './call.ts'
import type { Call } from './call.ts'
import type { SimZone } from './model.ts'
import { ok, refuse } from './reply.ts'
import type { Reply } from './reply.ts'
import { findSettingRule, initialValue, isEditable } from './setting-catalog.ts'
import type { SettingRule } from './setting-catalog.ts'
import { isoTime } from './zone-view.ts'

const DEVELOPMENT_MODE_MS = 10_800_000

/** GET /zones/{zone}/settings/{setting} */
export function getSetting(call: Call, zone: SimZone): Reply {
  return ok(settingView(call, zone, ruleOf(call.param)))
}

/** PATCH /zones/{zone}/settings/{setting} */
export function editSetting(call: Call, zone: SimZone): Reply {
  const id = call.param
  const rule = ruleOf(id)
  const value = bodyOf(call)['value']
  if (!isEditable(rule, zone)) throw refuse(400, 1015, `Not allowed to edit setting for ${id}`)
  if (!rule.accepts(value) || (value === 'origin_pull' && zone.plan !== 'enterprise'))
    throw refuse(400, 1007, `Invalid value for zone setting ${id}`)
  if (id === 'development_mode') {
    const running = zone.developmentModeEndsMs !== null && zone.developmentModeEndsMs > call.nowMs
    if (value === 'on') zone.developmentModeEndsMs = call.nowMs + DEVELOPMENT_MODE_MS
    else if (running) zone.developmentModeEndsMs = call.nowMs
  }
  call.state.changesOf(zone).settings.set(id, { value, modifiedOnMs: call.nowMs })
  call.state.touch(zone)
  return ok(settingView(call, zone, rule))
}

/** GET and PATCH /zones/{zone}/settings: removed by Cloudflare on 2026-09-15. */
export function refuseAllSettings(): never {
  throw refuse(410, 1004, 'This endpoint has been removed. Use /zones/{zone_id}/settings/{setting_id} instead.')
}

function ruleOf(id: string): SettingRule {
  const rule = findSettingRule(id)
  if (rule === null) throw refuse(400, 1003, `Undefined zone setting: ${id}`)
  return rule
}

function settingView(call: Call, zone: SimZone, rule: SettingRule) {
  const id = call.param
  const changed = zone.changes?.settings.get(id)
  const editable = isEditable(rule, zone)
  const modifiedOn = changed === undefined ? null : isoTime(changed.modifiedOnMs)
  if (id === 'development_mode') {
    const leftSeconds = Math.max(0, Math.ceil(((zone.developmentModeEndsMs ?? 0) - call.nowMs) / 1000))
    return { id, value: leftSeconds > 0 ? 'on' : 'off', editable, modified_on: modifiedOn, time_remaining: leftSeconds }
  }
  return { id, value: changed === undefined ? initialValue(id, rule, zone) : changed.value, editable, modified_on: modifiedOn }
}
