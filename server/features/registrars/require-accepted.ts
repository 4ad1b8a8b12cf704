import { takeOutgoingTest } from '#server/platform/attempts.ts'
import type { Ctx } from '#server/platform/context.ts'
import type { RegistrarAccess } from '#server/ports/registrar.ts'
import { AppError } from '#shared/errors/app-error.ts'

/**
 * Checks a credential with the registrar before it is stored. When the registrar is unreachable, the credential is stored untested and the first
 * reading of its names reports any problem.
 * @throws AppError registrar_auth with the registrar's own code and message; too_many_attempts
 */
export async function requireAccepted(ctx: Ctx, access: RegistrarAccess): Promise<void> {
  await takeOutgoingTest(ctx)
  const checks = await ctx.registrars
    .connect(access)
    .examine({ priority: 'person' })
    .catch((error: unknown) => {
      if (error instanceof AppError) return []
      throw error
    })
  const refused = checks.find(({ id, state }) => id === 'credentials' && state === 'failed')
  if (refused === undefined) return
  throw new AppError('registrar_auth', {
    provider: { ...(refused.code === null ? {} : { code: refused.code }), message: refused.message ?? '' },
  })
}
