import { takeOutgoingTest } from '#server/platform/attempts.ts'
import type { Ctx } from '#server/platform/context.ts'
import type { RegistrarAccess } from '#server/ports/registrar.ts'
import { AppError } from '#shared/errors/app-error.ts'

/**
 * Asks the registrar whether it takes a credential, before it is kept. While the registrar is away the credential is kept untested: the first reading of its
 * names reports.
 * @throws AppError registrar_auth with the registrar's own code and words; too_many_attempts
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
