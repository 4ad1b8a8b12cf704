import type { Transaction } from '#server/db/client.ts'
import type { Ctx } from '#server/platform/context.ts'
import { requireLevel } from '#server/platform/access-scope.ts'
import type { Money, RegisteredName, RegistrarCall, RegistrarConnection } from '#server/ports/registrar.ts'
import { AppError } from '#shared/errors/app-error.ts'
import { hasApi } from '#shared/features/registrars/rules.ts'
import { accessOf } from './registrar-credential.ts'
import type { ApiRegistrarRow } from './registrar-credential.ts'
import { queueSync } from './names/registrar-names.repo.ts'
import { writeNames } from './names/write-names.ts'
import { toAccessTarget } from './registrar-view.ts'
import { getRow, readNow, updateFindings } from './registrars.repo.ts'
import type { RegistrarRow } from './registrars.repo.ts'

export interface ConnectedRegistrar {
  readonly registrar: ApiRegistrarRow
  readonly connection: RegistrarConnection
}

/**
 * One that the actor may spend on, with what speaks to it: no level of sharing allows that, because it is the owner's money.
 * @throws AppError not_found, level_too_low, registrar_manual
 */
export async function connectRegistrar(ctx: Ctx, id: string): Promise<ConnectedRegistrar> {
  const registrar = await getRow(ctx.db.orm, id)
  await requireLevel(ctx, toAccessTarget(registrar), 'own')
  if (!hasApi(registrar)) throw new AppError('registrar_manual')
  return { registrar, connection: ctx.registrars.connect(accessOf(ctx.secrets, registrar)) }
}

interface ReportedBalance extends Money {
  readonly at: Date
}

/** As it was reported no longer ago than `maxAgeMs`, or as it is reported now. Null: there is none, or it is not reported. */
export async function readBalance(
  ctx: Ctx,
  { registrar, connection }: ConnectedRegistrar,
  maxAgeMs: number,
  call: RegistrarCall,
): Promise<ReportedBalance | null> {
  const { balanceMinor: minor, balanceCurrency: currency, balanceAt } = registrar
  // Before the registrar is asked: what is bought meanwhile is counted rather than missed.
  const at = await readNow(ctx.db.orm)
  if (minor !== null && currency !== null && balanceAt !== null && at.getTime() - balanceAt.getTime() < maxAgeMs) {
    return { minor, currency, at: balanceAt }
  }
  const balance = await connection.balance(call).catch((error: unknown) => {
    if (!(error instanceof AppError)) throw error
    return null
  })
  if (balance === null) return null
  await updateFindings(ctx.db.orm, registrar, { balanceMinor: balance.minor, balanceCurrency: balance.currency, balanceAt: at })
  return { ...balance, at }
}

/** Whether what is bought there is bought for trying only. @throws AppError not_found */
export const isSandbox = async (ctx: Ctx, id: string): Promise<boolean> => (await getRow(ctx.db.orm, id)).sandbox

/** The registrar has a name more: it is in the list immediately, and what else the list and the balance report is read again soon. */
export async function noteBought(
  ctx: Ctx,
  tx: Transaction,
  { id, ownerId }: Pick<RegistrarRow, 'id' | 'ownerId'>,
  bought: { readonly name: string; readonly autoRenew: boolean; readonly privacy: boolean },
): Promise<void> {
  const now = ctx.clock.now()
  const unknown = { status: null, expiresAt: null, locked: null, nameServers: null }
  await writeNames(tx, id, [{ ...unknown, ...bought, createdAt: new Date(now) }], new Date(now))
  await queueSync(tx, [id], new Date(now + rereadMs))
  await ctx.events.publish(tx, ownerId, 'registrars')
}

/** The registrar's new end of a name, where it was reported, is in the list immediately; what else the list and the balance report is read again soon. */
export async function noteRenewed(
  ctx: Ctx,
  tx: Transaction,
  { id, ownerId }: Pick<RegistrarRow, 'id' | 'ownerId'>,
  held: RegisteredName | null,
): Promise<void> {
  const now = ctx.clock.now()
  if (held !== null) await writeNames(tx, id, [held], new Date(now))
  await queueSync(tx, [id], new Date(now + rereadMs))
  await ctx.events.publish(tx, ownerId, 'registrars')
}

/** Many names are bought one after another, and read together. */
const rereadMs = 60_000
