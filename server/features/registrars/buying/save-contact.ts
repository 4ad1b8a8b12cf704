import { randomUUID } from 'node:crypto'
import type { Transaction } from '#server/db/client.ts'
import { audit } from '#server/platform/audit.ts'
import type { Ctx } from '#server/platform/context.ts'
import { requireRoom } from '#server/platform/owner-limits.repo.ts'
import { requireLevel } from '#server/platform/access-scope.ts'
import { AppError } from '#shared/errors/app-error.ts'
import type { Contact, ContactChanges, NewContact } from '#shared/features/registrars/buying/schema.ts'
import {
  clearDefault,
  deleteContact,
  getContactRow,
  hasContactName,
  insertContact,
  lockContact,
  updateContactRow,
} from './contacts.repo.ts'
import type { ContactRow } from './contacts.repo.ts'
import { detailKeys, findDetails, noDetails, openDetails, encryptDetails, toContact } from './get-contact.ts'

const nameTaken = () => new AppError('validation_failed', { issues: [{ path: 'name', message: 'name_taken' }] })

/** The activity log records which fields changed, not their values, because they are personal data. */
async function recordChange(
  ctx: Ctx,
  tx: Transaction,
  { id, name, ownerId }: Pick<ContactRow, 'id' | 'name' | 'ownerId'>,
  action: 'create' | 'update' | 'delete',
  details: Readonly<Record<string, unknown>> = {},
): Promise<void> {
  await audit(tx, ctx, { action, entityType: 'settings', entityId: id, entityName: name, ownerId, details: { contact: name, ...details } })
  await ctx.events.publish(tx, ownerId, 'registrars')
}

/** @throws AppError validation_failed when the person already has a contact of this name */
export async function createContact(ctx: Ctx, { name, isDefault, ...details }: NewContact): Promise<{ contact: Contact }> {
  const id = randomUUID()
  const ownerId = ctx.actor.userId
  return ctx.db.orm.transaction(async (tx) => {
    await requireRoom(tx, 'contacts', ownerId)
    if (isDefault) await clearDefault(tx, ownerId)
    const inserted = await insertContact(tx, { id, ownerId, name, isDefault, detailsSealed: encryptDetails(ctx.secrets, id, details) })
    if (!inserted) throw nameTaken()
    await recordChange(ctx, tx, { id, name, ownerId }, 'create')
    return { contact: toContact(ctx.secrets, await getContactRow(tx, id)) }
  })
}

/**
 * Omitted fields are kept. Waiting orders use the contact as it is when they are sent.
 * @throws AppError not_found, validation_failed, secret_unreadable unless all details are entered again
 */
export async function updateContact(ctx: Ctx, { id, ...changes }: ContactChanges): Promise<{ contact: Contact }> {
  return ctx.db.orm.transaction(async (tx) => {
    const row = await lockContact(tx, id)
    await requireLevel(ctx, row, 'own')
    const given = Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined))
    const isWhole = detailKeys.every((key) => given[key] !== undefined)
    // Details that cannot be decrypted can only be replaced as a whole.
    const stored = isWhole ? findDetails(ctx.secrets, row) : openDetails(ctx.secrets, row)
    const before = { name: row.name, isDefault: row.isDefault, ...(stored ?? noDetails) }
    const { name, isDefault, ...details } = { ...before, ...given }
    if (await hasContactName(tx, row.ownerId, name, id)) throw nameTaken()
    const changed = (['name', 'isDefault', ...detailKeys] as const).filter(
      (key) => given[key] !== undefined && JSON.stringify(given[key]) !== JSON.stringify(before[key]),
    )
    if (changed.length > 0 || stored === null) {
      if (isDefault && !row.isDefault) await clearDefault(tx, row.ownerId)
      await updateContactRow(tx, id, { name, isDefault, detailsSealed: encryptDetails(ctx.secrets, id, details) })
      await recordChange(ctx, tx, { ...row, name }, 'update', { changed })
    }
    return { contact: toContact(ctx.secrets, await getContactRow(tx, id)) }
  })
}

/** Names already bought for it are not affected. @throws AppError not_found */
export async function removeContact(ctx: Ctx, { id }: { readonly id: string }): Promise<void> {
  await ctx.db.orm.transaction(async (tx) => {
    const row = await lockContact(tx, id)
    await requireLevel(ctx, row, 'own')
    await deleteContact(tx, id)
    await recordChange(ctx, tx, row, 'delete')
  })
}
