import { randomUUID } from 'node:crypto'
import type { Transaction } from '#server/db/client.ts'
import { audit } from '#server/platform/audit.ts'
import type { Ctx } from '#server/platform/context.ts'
import { requireRoom } from '#server/platform/owner-limits.repo.ts'
import { AppError } from '#shared/errors/app-error.ts'
import { hasApi } from '#shared/features/registrars/rules.ts'
import type { NewRegistrarFields, Registrar } from '#shared/features/registrars/schema.ts'
import { accountPasswordContext, givenCredential, encryptCredential } from './registrar-credential.ts'
import { toRegistrar } from './registrar-view.ts'
import { findDuplicate, getShown, insertRow } from './registrars.repo.ts'
import type { RegistrarRow } from './registrars.repo.ts'
import { requireAccepted } from './require-accepted.ts'
import { requireComplete } from './require-complete.ts'

/**
 * Stores a registrar; the name list of an API registrar is read next.
 * @throws AppError validation_failed when a field required by the provider is missing (R-REG-02), registrar_exists (`name`: of the existing one),
 * registrar_auth when the registrar refuses the credential; then nothing is written
 */
export async function createRegistrar(ctx: Ctx, input: NewRegistrarFields): Promise<{ registrar: Registrar }> {
  const credential = givenCredential(input)
  requireComplete({ ...input, company: input.company ?? null }, credential)
  const id = randomUUID()
  const sandbox = input.type === 'API_ENABLED' && input.sandbox
  const access = { type: input.type, provider: input.provider, sandbox, credential }
  if (hasApi(access)) await requireAccepted(ctx, access)
  const encrypted = encryptCredential(ctx.secrets, { id, provider: input.provider, sandbox }, credential)
  return ctx.db.orm.transaction(async (tx) => {
    await requireRoom(tx, 'registrars', ctx.actor.userId)
    if (input.type === 'API_ENABLED') await rejectDuplicate(tx, { id, ownerId: ctx.actor.userId, ...encrypted })
    await insertRow(tx, {
      id,
      ownerId: ctx.actor.userId,
      name: input.name,
      type: input.type,
      provider: input.provider,
      company: input.provider === 'OTHER' ? (input.company ?? null) : null,
      sandbox,
      apiUrl: input.apiUrl ?? null,
      accountEmail: input.email ?? null,
      accountPasswordSealed:
        (input.accountPassword ?? '') === '' ? null : ctx.secrets.encrypt(input.accountPassword ?? '', accountPasswordContext(id)),
      ...encrypted,
      nextSyncAt: input.type === 'API_ENABLED' ? new Date(ctx.clock.now()) : null,
    })
    await audit(tx, ctx, {
      action: 'create',
      entityType: 'registrar',
      entityId: id,
      entityName: input.name,
      ownerId: ctx.actor.userId,
      details: {
        type: input.type,
        provider: input.provider,
        ...(input.provider === 'OTHER' ? { company: input.company } : {}),
        sandbox: input.sandbox,
      },
    })
    await ctx.events.publish(tx, ctx.actor.userId, 'registrars')
    return { registrar: await toRegistrar(ctx, await getShown(tx, id)) }
  })
}

/**
 * An account added twice would list its names and their costs twice.
 * @throws AppError registrar_exists with the `name` of the other
 */
export async function rejectDuplicate(tx: Transaction, row: Pick<RegistrarRow, 'id' | 'ownerId' | 'credentialHash'>): Promise<void> {
  const name = await findDuplicate(tx, row)
  if (name !== null) throw new AppError('registrar_exists', { params: { name } })
}
