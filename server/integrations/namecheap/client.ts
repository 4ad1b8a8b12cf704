import type { z } from 'zod'
import type { Repeat } from '#server/integrations/http/provider-client.ts'
import type { RegistrarContext } from '#server/integrations/registrars/adapter-parts.ts'
import type { RegistrarAccess, RegistrarCall } from '#server/ports/registrar.ts'
import { accepted } from './map-error.ts'
import { termsOf } from './prices.ts'
import type { TermsByZone } from './prices.ts'
import * as wire from './wire.ts'

export interface Client {
  ask<S extends z.ZodType>(
    command: string,
    schema: S,
    call: RegistrarCall,
    fields?: Readonly<Record<string, string>>,
    repeat?: Repeat,
  ): Promise<z.output<S>>
  info(name: string, call: RegistrarCall): Promise<wire.Info>
  check(names: readonly string[], call: RegistrarCall): Promise<readonly wire.Checked[]>
  /** For all zones, or for one. */
  prices(action: 'REGISTER' | 'RENEW', call: RegistrarCall, zone?: string): Promise<TermsByZone>
}

/** Namecheap's form and envelope, on top of the rate-limited client of one credential. */
export function createClient({ client, baseUrl }: RegistrarContext, { credential }: RegistrarAccess): Client {
  const { username = '', apiKey = '', clientIp = '' } = credential

  const ask: Client['ask'] = async (command, schema, call, fields = {}, repeat = 'read') => {
    // A hundred modules that few installations need.
    const { parseXml } = await import('./parse-xml.ts')
    return client.call(
      {
        method: 'POST',
        // As a form, so that the key is in no URL and no log.
        url: baseUrl,
        template: command,
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: new URLSearchParams({
          ApiUser: username,
          ApiKey: apiKey,
          UserName: username,
          ClientIp: clientIp,
          Command: `namecheap.${command}`,
          ...fields,
        }).toString(),
        repeat,
      },
      call,
      (answer) => schema.parse(accepted(answer, parseXml)),
    )
  }

  return {
    ask,
    info: async (name, call) => (await ask('domains.getInfo', wire.info, call, { DomainName: name })).DomainGetInfoResult,
    check: async (names, call) => (await ask('domains.check', wire.check, call, { DomainList: names.join(',') })).DomainCheckResult,
    prices: async (action, call, zone) => {
      const fields = { ProductType: 'DOMAIN', ProductCategory: 'DOMAINS', ActionName: action }
      const ofZone = zone === undefined ? {} : { ProductName: zone.toUpperCase() }
      return termsOf(await ask('users.getPricing', wire.pricing, call, { ...fields, ...ofZone }), action)
    },
  }
}
