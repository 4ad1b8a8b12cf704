import { audit } from '#server/platform/audit.ts'
import type { Ctx } from '#server/platform/context.ts'
import { requireRecentAuth } from '#server/platform/recent-auth.ts'
import { decryptStored } from '#server/platform/secrets.ts'
import { grantsOf, requireLevel } from '#server/platform/access-scope.ts'
import { AppError } from '#shared/errors/app-error.ts'
import type { RegistrarSecrets } from '#shared/features/registrars/schema.ts'
import { accountPasswordContext, openCredential } from './registrar-credential.ts'
import { toAccessTarget } from './registrar-view.ts'
import { lockRows } from './registrars.repo.ts'

/**
 * The only way a registrar's secrets leave the server, and only for its owner or an administrator; each access is logged.
 * @throws AppError not_found, level_too_low, confirmation_needed, secret_unreadable, session_only for a token
 */
export async function revealRegistrar(ctx: Ctx, { id }: { readonly id: string }): Promise<RegistrarSecrets> {
  // Resolve grants before the transaction, so that it needs no second connection.
  await grantsOf(ctx)
  return ctx.db.orm.transaction(async (tx) => {
    const [row] = await lockRows(tx, [id])
    if (row === undefined) throw new AppError('not_found')
    await requireLevel(ctx, toAccessTarget(row), 'own')
    // Check permission first, so that an unauthorized user is not asked to authenticate again.
    requireRecentAuth(ctx)
    await audit(tx, ctx, { action: 'reveal', entityType: 'registrar', entityId: id, entityName: row.name, ownerId: row.ownerId })
    const { accountPasswordSealed: encrypted } = row
    return {
      credential: openCredential(ctx.secrets, row),
      accountPassword:
        encrypted === null
          ? null
          : decryptStored(ctx.secrets, { encrypted, context: accountPasswordContext(id), secret: 'registrar_password', name: row.name }),
    }
  })
}
