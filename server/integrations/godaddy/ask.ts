import type { z } from 'zod'
import { AppError } from '#shared/errors/app-error.ts'
import type { HttpRequest } from '#server/integrations/http/http-client.ts'
import type { Repeat, ProviderClient } from '#server/integrations/http/provider-client.ts'
import type { ReadinessCheck, RegisteredName, RegistrarCall } from '#server/ports/registrar.ts'
import { accepted } from './map-error.ts'
import type * as wire from './wire.ts'

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

export const createAsk =
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

export const finding = (id: ReadinessCheck['id'], state: ReadinessCheck['state'], error: AppError | null = null): ReadinessCheck => ({
  id,
  state,
  code: error?.provider?.code ?? null,
  message: error?.provider?.message ?? null,
  details: [],
})

/** Whether the account may be managed through the API. */
export async function examineAccess(look: () => Promise<unknown>): Promise<readonly ReadinessCheck[]> {
  try {
    await look()
    return [finding('credentials', 'ok'), finding('access', 'ok')]
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    if (error.code === 'registrar_auth') return [finding('credentials', 'failed', error)]
    if (error.code === 'registrar_address') return [finding('credentials', 'ok'), finding('address', 'failed', error)]
    if (error.code === 'registrar_forbidden') return [finding('credentials', 'ok'), finding('access', 'failed', error)]
    return [finding('credentials', 'unknown', error)]
  }
}

const toDate = (text: string | null | undefined): Date | null => {
  const date = new Date(text ?? '')
  return Number.isNaN(date.getTime()) ? null : date
}

export const toServers = (servers: readonly string[]): readonly string[] =>
  servers.map((server) => server.toLowerCase().replace(/\.$/, '')).toSorted()

export const toName = (held: wire.Held): RegisteredName => ({
  name: held.domain.toLowerCase(),
  status: held.status?.toLowerCase() ?? null,
  createdAt: toDate(held.createdAt),
  expiresAt: toDate(held.expiresAt ?? held.expires),
  autoRenew: held.autoRenew ?? held.renewAuto ?? null,
  locked: held.transferLock ?? held.locked ?? null,
  privacy: held.privacy ?? null,
  nameServers: held.nameServers === null || held.nameServers === undefined ? null : toServers(held.nameServers),
})
