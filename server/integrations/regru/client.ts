import type { z } from 'zod'
import { AppError } from '#shared/errors/app-error.ts'
import type { Repeat } from '#server/integrations/http/provider-client.ts'
import type { RegistrarContext } from '#server/integrations/registrars/adapter-parts.ts'
import { createSemaphore } from '#server/platform/semaphore.ts'
import type { RegistrarAccess, RegistrarCall } from '#server/ports/registrar.ts'
import { accepted } from './map-error.ts'
import * as wire from './wire.ts'

/** Pauses before an order is retried that collided with another one of the account and was not processed. */
const lockPausesMs = [1_000, 3_000, 8_000]

export interface Client {
  ask<S extends z.ZodType>(action: string, schema: S, call: RegistrarCall, input?: object, repeat?: Repeat): Promise<z.output<S>>
  /** An order or a renewal: one at a time, and retried if another process was faster. */
  bill(action: 'domain/create' | 'service/renew', call: RegistrarCall, input: object): Promise<wire.Bill>
  /** Of all names that are held. */
  services(call: RegistrarCall): Promise<readonly wire.Service[]>
  /** Of one. @throws AppError registrar_not_found */
  service(name: string, call: RegistrarCall): Promise<wire.Service>
  prices(call: RegistrarCall): Promise<z.output<typeof wire.prices>>
}

/** REG.RU's form and envelope, on top of the rate-limited client of one credential. */
export function createClient({ client, baseUrl, clock }: RegistrarContext, { credential }: RegistrarAccess): Client {
  const { login = '', password = '' } = credential
  // One billing operation per account at a time; those of this process wait here.
  const oneByOne = createSemaphore(1)

  const ask: Client['ask'] = (action, schema, call, input = {}, repeat = 'read') =>
    client.call(
      {
        method: 'POST',
        url: `${baseUrl}/${action}`,
        template: action,
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: new URLSearchParams({
          username: login,
          password,
          io_encoding: 'utf8',
          lang: 'en',
          input_format: 'json',
          output_format: 'json',
          input_data: JSON.stringify(input),
        }).toString(),
        repeat,
      },
      call,
      (answer) => schema.parse(accepted(answer)),
    )

  const services: Client['services'] = async (call) => {
    const { services: all } = await ask('service/get_list', wire.services, call, { servtype: 'domain' })
    return all.filter(({ servtype }) => servtype === null || servtype === undefined || servtype === 'domain')
  }

  return {
    ask,
    services,
    service: async (name, call) => {
      const found = (await services(call)).find(({ dname }) => dname === name)
      if (found === undefined) throw new AppError('registrar_not_found')
      return found
    },
    prices: (call) => ask('domain/get_prices', wire.prices, call, { currency: 'RUR', show_renew_data: 1 }),
    bill: (action, call, input) =>
      oneByOne(async () => {
        for (const pauseMs of lockPausesMs) {
          try {
            return await ask(action, wire.bill, call, input, 'once')
          } catch (error) {
            if (!(error instanceof AppError) || error.provider?.code !== 'BILLING_LOCK') throw error
          }
          await clock.sleep(pauseMs, call.signal)
        }
        return ask(action, wire.bill, call, input, 'once')
      }),
  }
}
