import type { HostedSetting, ZoneCalls } from '#server/ports/dns-host.ts'
import type { Client } from './client.ts'
import * as wire from './wire.ts'

/** Settings that Cloudflare keeps apart from those of the zone. */
export interface OwnEndpoint {
  readonly settings: readonly string[]
  readonly get: ZoneCalls['getSetting']
  readonly edit: ZoneCalls['editSetting']
}

/** A setting of which only the value is reported; null if the zone does not have it. */
export const plainSetting = (id: string, value: boolean | string | null): HostedSetting => ({
  id,
  value,
  editable: value !== null,
  modifiedAt: null,
  timeRemainingSeconds: null,
})

export function universalSsl({ read, result }: Client): OwnEndpoint {
  const path = '/zones/{zone}/ssl/universal/settings'
  const id = 'universal_ssl'
  return {
    settings: [id],
    get: async (zone, _setting, options) => plainSetting(id, (await read(path, { zone }, wire.universalSsl, options)).enabled),
    edit: async (zone, _setting, enabled, options) => {
      const target = { method: 'PATCH', path, ids: { zone }, body: { enabled }, repeat: 'idempotent' } as const
      return plainSetting(id, (await result(target, wire.universalSsl, options)).enabled)
    },
  }
}
