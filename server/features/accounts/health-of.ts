import { credentialOf, failureOf } from '#server/features/sync/index.ts'
import type { Ctx } from '#server/platform/context.ts'
import { AppError } from '#shared/errors/app-error.ts'
import type { AccountFields } from '#shared/features/accounts/schema.ts'

/**
 * Verifies the credential and returns the result as columns; only an unavailable provider is not an error.
 * @throws AppError provider_auth, provider_forbidden, provider_rejected
 */
export async function healthOf(ctx: Ctx, input: Pick<AccountFields, 'kind' | 'email' | 'apiKey'>) {
  try {
    const connection = ctx.dnsHost.connect(credentialOf(input.kind, input.email, input.apiKey), null)
    const identity = await connection.identify({ priority: 'person' })
    return { health: 'working', providerUserId: identity.userId, providerAccountIds: identity.accounts.map(({ id }) => id) } as const
  } catch (error) {
    if (!(error instanceof AppError) || error.code === 'provider_rejected' || error.code === 'provider_not_found') throw error
    const failure = failureOf(error, 0)
    if (failure === null || failure.health === 'auth_error') throw error
    return { health: failure.health, healthCode: failure.code, healthMessage: failure.message } as const
  }
}
