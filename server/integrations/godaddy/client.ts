import type { z } from 'zod'
import type { HttpRequest } from '#server/integrations/http/http-client.ts'
import type { ProviderClient, Repeat } from '#server/integrations/http/provider-client.ts'
import { finding, refusedFinding } from '#server/integrations/registrars/adapter-parts.ts'
import type { ReadinessCheck, RegistrarCall } from '#server/ports/registrar.ts'
import { accepted } from './map-error.ts'

interface Target {
  readonly method: HttpRequest['method']
  readonly path: string
  readonly template?: string
}
interface Sent {
  readonly body?: unknown
  readonly repeat?: Repeat
  readonly idempotencyKey?: string
}

export type Ask = <S extends z.ZodType>(target: Target, schema: S, call: RegistrarCall, sent?: Sent) => Promise<z.output<S>>

/** GoDaddy's header and errors, on top of the rate-limited client of one credential. */
export const createClient =
  (client: ProviderClient, baseUrl: string, authorization: string): Ask =>
  ({ method, path, template = path }, schema, call, { body, repeat = 'read', idempotencyKey } = {}) =>
    client.call(
      {
        method,
        url: baseUrl + path,
        template,
        headers: {
          authorization,
          accept: 'application/json',
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...(idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        repeat,
      },
      call,
      (answer) => schema.parse(accepted(answer)),
    )

/** Whether the account may be managed through the API. */
export async function examineAccess(look: () => Promise<unknown>): Promise<readonly ReadinessCheck[]> {
  try {
    await look()
    return [finding('credentials', 'ok'), finding('access', 'ok')]
  } catch (error) {
    const refused = refusedFinding(error)
    return refused.id === 'credentials' ? [refused] : [finding('credentials', 'ok'), refused]
  }
}
