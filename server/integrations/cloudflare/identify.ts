import { AppError } from '#shared/errors/app-error.ts'
import type { CallOptions, Credential, Identity } from '#server/ports/dns-host.ts'
import { everyPage } from './client.ts'
import type { Client } from './client.ts'
import * as wire from './wire.ts'

const accountsPerPage = 50

/** The owner of a credential and its accessible accounts. */
export async function identify(client: Client, credential: Credential, options: CallOptions): Promise<Identity> {
  const getUser = () => client.call({ method: 'GET', path: '/user', repeat: 'read' }, wire.user, options)
  if (credential.kind === 'global_key') {
    const { result } = await getUser()
    return { userId: result.id, email: result.email ?? null, accounts: await listAccounts(client, options) }
  }

  let accounts: Identity['accounts'] | null = null
  try {
    const { result } = await client.call({ method: 'GET', path: '/user/tokens/verify', repeat: 'read' }, wire.tokenState, options)
    requireActive(result.status)
  } catch (error) {
    // Also the response for an account-owned token, which must be verified at its account.
    if (!(error instanceof AppError) || error.provider?.code !== '1000') throw error
    accounts = await listAccounts(client, options)
    await verifyAtAccounts(client, accounts, error, options)
    return { userId: null, email: null, accounts }
  }
  const found = await permitted(getUser())
  return {
    userId: found?.result.id ?? null,
    email: found?.result.email ?? null,
    accounts: accounts ?? (await listAccounts(client, options)),
  }
}

async function verifyAtAccounts(client: Client, accounts: Identity['accounts'], refused: AppError, options: CallOptions): Promise<void> {
  for (const { id } of accounts) {
    const call = { method: 'GET', path: '/accounts/{account}/tokens/verify', ids: { account: id }, repeat: 'read' } as const
    const found = await permitted(client.call(call, wire.tokenState, options))
    if (found === null) continue
    requireActive(found.result.status)
    return
  }
  throw new AppError('provider_auth', { ...(refused.provider === undefined ? {} : { provider: refused.provider }), cause: refused })
}

function requireActive(status: string | null | undefined): void {
  if (status === null || status === undefined || status === 'active') return
  throw new AppError('provider_auth', { provider: { message: `This API Token is ${status}` } })
}

/** All accessible accounts; none if the credential may not list them. */
async function listAccounts(client: Client, options: CallOptions): Promise<Identity['accounts']> {
  const accounts = await everyPage(accountsPerPage, (query) =>
    permitted(client.call({ method: 'GET', path: '/accounts', query, repeat: 'read' }, wire.accounts, options)),
  )
  return accounts.map(({ id, name }) => ({ id, name: name ?? '' }))
}

/** Null if the credential may not read it. */
async function permitted<T>(answer: Promise<T>): Promise<T | null> {
  try {
    return await answer
  } catch (error) {
    if (
      error instanceof AppError &&
      ['provider_auth', 'provider_forbidden', 'provider_rejected', 'provider_not_found'].includes(error.code)
    )
      return null
    throw error
  }
}
