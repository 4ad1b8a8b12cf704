import type { RegistrarContext } from '#server/integrations/registrars/registrar-context.ts'
import type { RegistrarAccess, RegistrarConnection } from '#server/ports/registrar.ts'
import { createAsk } from './ask.ts'
import { connectByKey } from './by-key.ts'
import { connectByToken } from './by-token.ts'

/** GoDaddy: with a personal access token by its API v3, with a key and a secret by v1. The test environment has no v3. */
export function connectGodaddy(
  { client, baseUrl, clock }: RegistrarContext,
  { credential, sandbox }: RegistrarAccess,
): RegistrarConnection {
  const { apiKey = '', apiSecret = '', apiToken = '' } = credential
  const ask = createAsk(client, baseUrl, apiToken === '' ? `sso-key ${apiKey}:${apiSecret}` : `Bearer ${apiToken}`)
  return apiToken === '' || sandbox ? connectByKey(ask) : connectByToken(ask, clock)
}
