import { AppError } from '#shared/errors/app-error.ts'
import type { HostedSetting, ZoneCalls } from '#server/ports/dns-host.ts'
import type { Client } from './client.ts'
import { plainSetting } from './own-endpoint.ts'
import type { OwnEndpoint } from './own-endpoint.ts'
import * as wire from './wire.ts'

type BotManagement = ReturnType<typeof wire.botManagement.parse>

const path = '/zones/{zone}/bot_management'
const fields = [
  'fight_mode',
  'ai_bots_protection',
  'crawler_protection',
  'is_robots_txt_managed',
] as const satisfies (keyof BotManagement)[]

/** A field that the plan lacks is absent from the answer. */
function toSettings(answer: BotManagement): HostedSetting[] {
  const { crawler_protection: labyrinth, ...others } = answer
  const values = { ...others, crawler_protection: labyrinth == null ? null : labyrinth === 'enabled' }
  return fields.map((field) => plainSetting(field, values[field] ?? null))
}

const of = (settings: readonly HostedSetting[], id: string): HostedSetting =>
  settings.find((setting) => setting.id === id) ?? plainSetting(id, null)

/** The settings of bots that every plan may have. A change sends only its own field, and Cloudflare keeps the others. */
export function botSettings({ read, result }: Client): OwnEndpoint & { readonly list: ZoneCalls['listBotSettings'] } {
  const list: ZoneCalls['listBotSettings'] = async (zone, options) => toSettings(await read(path, { zone }, wire.botManagement, options))
  return {
    settings: fields,
    list,
    get: async (zone, setting, options) => of(await list(zone, options), setting),
    edit: async (zone, setting, value, options) => {
      const body = { [setting]: setting === 'crawler_protection' ? (value === true ? 'enabled' : 'disabled') : value }
      const answer = await result({ method: 'PUT', path, ids: { zone }, body, repeat: 'idempotent' }, wire.botManagement, options)
      const changed = of(toSettings(answer), setting)
      if (changed.value === null) throw new AppError('setting_not_editable')
      return changed
    },
  }
}
