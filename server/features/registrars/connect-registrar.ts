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
 * A registrar that the actor may spend money on, with its client. No share level allows that, because it is the owner's money.
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

/** The stored balance if it is younger than `maxAgeMs`, otherwise the current one. Null: there is none, or it is not reported. */
export async function readBalance(
  ctx: Ctx,
  { registrar, connection }: ConnectedRegistrar,
  maxAgeMs: number,
  call: RegistrarCall,
): Promise<ReportedBalance | null> {
  const { balanceMinor: minor, balanceCurrency: currency, balanceAt } = registrar
  // Read before calling the registrar, so that a purchase made in between is counted rather than missed.
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

/** Whether purchases there are tests only. @throws AppError not_found */
export const isSandbox = async (ctx: Ctx, id: string): Promise<boolean> => (await getRow(ctx.db.orm, id)).sandbox

/** Adds a bought name to the list immediately, and schedules a reading of the rest of the list and the balance. */
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

/** Stores the new expiry of a renewed name, if reported, and schedules a reading of the rest of the list and the balance. */
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

/** Many names are bought in a row and read together. */
const rereadMs = 60_000
