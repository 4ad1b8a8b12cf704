import type { Ctx } from '#server/platform/context.ts'
import { takeOutgoingTest } from '#server/platform/attempts.ts'
import { requireLevel } from '#server/platform/access-scope.ts'
import type { ReadinessCheckView, Registrar } from '#shared/features/registrars/schema.ts'
import { accessOf } from './registrar-credential.ts'
import { toAccessTarget, toRegistrar } from './registrar-view.ts'
import { getRow, getShown, readNow, updateFindings } from './registrars.repo.ts'

/**
 * Checks whether the credential works and what is missing, and reads the balance.
 * @throws AppError not_found, level_too_low, registrar_manual, too_many_attempts
 */
export async function examineRegistrar(
  ctx: Ctx,
  { id }: { readonly id: string },
): Promise<{ registrar: Registrar; checks: ReadinessCheckView[] }> {
  const row = await getRow(ctx.db.orm, id)
  await requireLevel(ctx, toAccessTarget(row), 'operate')
  await takeOutgoingTest(ctx)
  const connection = ctx.registrars.connect(accessOf(ctx.secrets, row))
  const checks = await connection.examine({ priority: 'person' })
  const failed = checks.find(({ state }) => state === 'failed')
  const unknown = checks.find(({ state }) => state === 'unknown')
  const worst = failed ?? unknown
  const now = await readNow(ctx.db.orm)
  const balance = worst === undefined ? await connection.balance({ priority: 'person' }).catch(() => null) : null
  await ctx.db.orm.transaction(async (tx) => {
    const written = await updateFindings(tx, row, {
      health:
        failed !== undefined ? (failed.id === 'credentials' ? 'auth_error' : 'api_error') : unknown !== undefined ? 'api_error' : 'working',
      healthCode: worst?.code ?? null,
      healthMessage: worst?.message ?? null,
      checkedAt: now,
      ...(balance === null ? {} : { balanceMinor: balance.minor, balanceCurrency: balance.currency, balanceAt: now }),
    })
    if (written) await ctx.events.publish(tx, row.ownerId, 'registrars')
  })
  return {
    registrar: await toRegistrar(ctx, await getShown(ctx.db.orm, id)),
    checks: checks.map((check) => ({ ...check, details: [...check.details] })),
  }
}
