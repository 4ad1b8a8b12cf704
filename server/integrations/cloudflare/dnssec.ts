import type { HostedSetting } from '#server/ports/dns-host.ts'
import type { Client } from './client.ts'
import { instant } from './from-wire.ts'
import { plainSetting } from './own-endpoint.ts'
import type { OwnEndpoint } from './own-endpoint.ts'
import * as wire from './wire.ts'

const path = '/zones/{zone}/dnssec'
const id = 'dnssec'

/** Whether it is enabled; that is independent of the DS record at the registrar. */
const enabledBy: Readonly<Record<string, boolean>> = {
  active: true,
  pending: true,
  error: true,
  'pending-disabled': false,
  disabled: false,
}

function toSetting(answer: ReturnType<typeof wire.dnssec.parse>): HostedSetting {
  const status = answer.status ?? ''
  return {
    ...plainSetting(id, enabledBy[status] ?? null),
    modifiedAt: instant(answer.modified_on),
    details: {
      status,
      ds: answer.ds ?? null,
      keyTag: answer.key_tag ?? null,
      algorithm: answer.algorithm ?? null,
      digestType: answer.digest_type ?? null,
      digest: answer.digest ?? null,
      flags: answer.flags ?? null,
      publicKey: answer.public_key ?? null,
    },
  }
}

export function dnssecSetting({ read, result }: Client): OwnEndpoint {
  return {
    settings: [id],
    get: async (zone, _setting, options) => toSetting(await read(path, { zone }, wire.dnssec, options)),
    edit: async (zone, _setting, enabled, options) => {
      const body = { status: enabled === true ? 'active' : 'disabled' }
      return toSetting(await result({ method: 'PATCH', path, ids: { zone }, body, repeat: 'idempotent' }, wire.dnssec, options))
    },
  }
}
