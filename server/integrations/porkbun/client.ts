import type { z } from 'zod'
import type { ProviderClient, Repeat } from '#server/integrations/http/provider-client.ts'
import type { RegistrarContext } from '#server/integrations/registrars/adapter-parts.ts'
import type { RegistrarAccess, RegistrarCall } from '#server/ports/registrar.ts'
import { accepted } from './map-error.ts'

const ofHeld = /^\/(?:domain\/(?:get|getNs|updateNs|updateAutoRenew|renew)|dns\/(?:get|create|delete)DnssecRecords?)\//
/** Each of these kinds of calls has a separate window. */
const oncePerTenSeconds = { limit: 1, windowMs: 10_000 } as const

interface Sent {
  readonly method?: 'GET' | 'POST'
  readonly body?: object
  readonly repeat?: Repeat
  readonly idempotencyKey?: string
  /** Calls counted separately, and more strictly. */
  readonly through?: 'check' | 'create' | 'renew'
}

export type Ask = <S extends z.ZodType>(path: string, schema: S, call: RegistrarCall, sent?: Sent) => Promise<z.output<S>>

/** Porkbun's keys and envelope, on top of the rate-limited client of one credential. */
export function createClient({ client, baseUrl, limited }: RegistrarContext, { credential }: RegistrarAccess): Ask {
  const { apiKey = '', apiSecret = '' } = credential
  return (path, schema, call, { method = 'POST', body = {}, repeat = 'read', idempotencyKey, through } = {}) => {
    const sender: ProviderClient = through === undefined ? client : limited(through, oncePerTenSeconds)
    return sender.call(
      {
        method,
        url: `${baseUrl}${path}`,
        template: path.split('/').slice(0, 3).join('/'),
        headers: {
          ...(method === 'GET' ? {} : { 'content-type': 'application/json' }),
          'x-api-key': apiKey,
          'x-secret-api-key': apiSecret,
          ...(idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }),
        },
        ...(method === 'GET' ? {} : { body: JSON.stringify(body) }),
        repeat,
      },
      call,
      (answer) => schema.parse(accepted(answer, ofHeld.test(path))),
    )
  }
}
