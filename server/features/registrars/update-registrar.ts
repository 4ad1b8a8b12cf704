import { audit } from '#server/platform/audit.ts'
import type { Ctx } from '#server/platform/context.ts'
import { grantsOf, requireLevel } from '#server/platform/access-scope.ts'
import type { Secrets } from '#server/platform/secrets.ts'
import { AppError } from '#shared/errors/app-error.ts'
import { hasApi } from '#shared/features/registrars/rules.ts'
import type { Registrar, RegistrarChanges } from '#shared/features/registrars/schema.ts'
import { accountPasswordContext, givenCredential, openCredential, encryptCredential } from './registrar-credential.ts'
import { toAccessTarget, toRegistrar } from './registrar-view.ts'
import { requireAccepted } from './require-accepted.ts'
import { requireComplete } from './require-complete.ts'
import { rejectDuplicate } from './create-registrar.ts'
import { getRow, getShown, lockRows, updateRow } from './registrars.repo.ts'
import type { RegistrarRow } from './registrars.repo.ts'

const plainKeys = ['name', 'type', 'provider', 'company', 'sandbox', 'apiUrl', 'accountEmail'] as const

function isReadable(secrets: Secrets, row: RegistrarRow): boolean {
  try {
    openCredential(secrets, row)
    return true
  } catch {
    return false
  }
}

function afterChanges(secrets: Secrets, row: RegistrarRow, input: Omit<RegistrarChanges, 'id'>) {
  const type = input.type ?? row.type
  const provider = input.provider ?? row.provider
  // Another provider cannot use these secrets.
  const given = givenCredential(input)
  const isKept = provider === row.provider && type === row.type
  // A credential that cannot be decrypted may be replaced as a whole without losing anything.
  const isLost = isKept && Object.keys(given).length > 0 && !isReadable(secrets, row)
  const kept = isKept && !isLost ? openCredential(secrets, row) : {}
  return {
    type,
    provider,
    sandbox: type === 'API_ENABLED' && (input.sandbox ?? row.sandbox),
    company: provider === 'OTHER' ? (input.company === undefined ? row.company : input.company) : null,
    credential: { ...kept, ...given },
    isLost,
  }
}

/**
 * A user with manage may rename it; everything else is for the owner. An omitted or empty secret is kept. A new credential discards earlier findings,
 * and the list is read again.
 * @throws AppError not_found, level_too_low, validation_failed, registrar_exists, secret_unreadable, registrar_auth when the registrar refuses a new
 * credential; then nothing is written
 */
export async function updateRegistrar(ctx: Ctx, { id, ...input }: RegistrarChanges): Promise<{ registrar: Registrar }> {
  // Resolve grants before the transaction, so that it needs no second connection.
  await grantsOf(ctx)
  const needed = Object.entries(input).every(([key, value]) => key === 'name' || value === undefined) ? 'manage' : 'own'
  const before = await getRow(ctx.db.orm, id)
  await requireLevel(ctx, toAccessTarget(before), needed)
  const wanted = afterChanges(ctx.secrets, before, input)
  requireComplete(wanted, wanted.credential)
  const { credentialHash } = encryptCredential(ctx.secrets, { id, ...wanted }, wanted.credential)
  if (hasApi(wanted) && (credentialHash !== before.credentialHash || wanted.type !== before.type)) await requireAccepted(ctx, wanted)
  return ctx.db.orm.transaction(async (tx) => {
    const [row] = await lockRows(tx, [id])
    if (row === undefined) throw new AppError('not_found')
    await requireLevel(ctx, toAccessTarget(row), needed)

    const { type, provider, sandbox, company, credential, isLost } = afterChanges(ctx.secrets, row, input)
    requireComplete({ type, provider, company }, credential)
    const encrypted = encryptCredential(ctx.secrets, { id, provider, sandbox }, credential)
    const given = givenCredential(input)
    const another = isLost || encrypted.credentialHash !== row.credentialHash || type !== row.type
    if (another && type === 'API_ENABLED') await rejectDuplicate(tx, { id, ownerId: row.ownerId, credentialHash: encrypted.credentialHash })
    const changes: Partial<RegistrarRow> = {
      ...(input.name === undefined ? {} : { name: input.name }),
      type,
      provider,
      company,
      sandbox,
      ...(input.apiUrl === undefined ? {} : { apiUrl: input.apiUrl }),
      ...(input.email === undefined ? {} : { accountEmail: input.email }),
      ...(input.accountPassword === null
        ? { accountPasswordSealed: null }
        : (input.accountPassword ?? '') === ''
          ? {}
          : { accountPasswordSealed: ctx.secrets.encrypt(input.accountPassword ?? '', accountPasswordContext(id)) }),
      ...(another
        ? {
            ...encrypted,
            health: 'unknown',
            healthCode: null,
            healthMessage: null,
            checkedAt: null,
            balanceMinor: null,
            balanceCurrency: null,
            balanceAt: null,
            syncErrorCode: null,
            syncErrorMessage: null,
            syncFailures: 0,
            nextSyncAt: type === 'API_ENABLED' ? new Date(ctx.clock.now()) : null,
          }
        : {}),
    }
    const changedKeys = plainKeys.filter((key) => changes[key] !== undefined && changes[key] !== row[key])
    const secrets = [
      ...(another && Object.keys(given).length > 0 ? [['credential', 'changed'] as const] : []),
      ...(changes.accountPasswordSealed === undefined
        ? []
        : [['accountPassword', changes.accountPasswordSealed === null ? 'removed' : 'changed'] as const]),
    ]
    if (changedKeys.length > 0 || secrets.length > 0 || another) {
      await updateRow(tx, id, changes)
      await audit(tx, ctx, {
        action: 'update',
        entityType: 'registrar',
        entityId: id,
        entityName: row.name,
        ownerId: row.ownerId,
        details: Object.fromEntries<unknown>([
          ...changedKeys.map((key) => [key, { from: row[key], to: changes[key] }] as const),
          ...secrets,
        ]),
      })
      await ctx.events.publish(tx, row.ownerId, 'registrars')
    }
    return { registrar: await toRegistrar(ctx, await getShown(tx, id)) }
  })
}
