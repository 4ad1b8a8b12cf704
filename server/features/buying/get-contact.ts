import type { z } from 'zod'
import type { Ctx } from '#server/platform/context.ts'
import { requireLevel } from '#server/platform/reach.ts'
import type { Secrets } from '#server/platform/secrets.ts'
import type { RegistrantContact } from '#server/ports/registrar.ts'
import { AppError } from '#shared/errors/app-error.ts'
import { contact } from '#shared/features/buying/schema.ts'
import type { Contact } from '#shared/features/buying/schema.ts'
import { getContactRow, listContactRows } from './contacts.repo.ts'
import type { ContactRow } from './contacts.repo.ts'

export const contactContext = (id: string) => `contact:${id}:details`
const details = contact.omit({ id: true, ownerId: true, name: true, isDefault: true, updatedAt: true })
export type ContactDetails = z.infer<typeof details>

export const detailKeys = details.keyof().options
export const sealDetails = (secrets: Secrets, id: string, given: ContactDetails): string =>
  secrets.seal(JSON.stringify(details.parse(given)), contactContext(id))
export const openDetails = (secrets: Secrets, row: Pick<ContactRow, 'id' | 'detailsSealed'>): ContactDetails =>
  details.parse(JSON.parse(secrets.open(row.detailsSealed, contactContext(row.id))))

export const toContact = (secrets: Secrets, row: ContactRow): Contact => ({
  id: row.id,
  ownerId: row.ownerId,
  name: row.name,
  isDefault: row.isDefault,
  ...openDetails(secrets, row),
  updatedAt: row.updatedAt.toISOString(),
})

/** The actor's own, an administrator everybody's. */
export async function listContacts(ctx: Ctx, { ownerId }: { readonly ownerId?: string | undefined }): Promise<{ contacts: Contact[] }> {
  const { role, userId } = ctx.actor
  if (role !== 'admin' && ownerId !== undefined && ownerId !== userId) return { contacts: [] }
  const rows = await listContactRows(ctx.db.orm, role === 'admin' ? (ownerId ?? null) : userId)
  return { contacts: rows.map((row) => toContact(ctx.secrets, row)) }
}

/**
 * Whom a registry is told, of somebody who may spend this owner's money.
 * @throws AppError not_found, also for a contact of somebody else
 */
export async function getRegistrant(ctx: Ctx, id: string, ownerId: string): Promise<RegistrantContact> {
  const row = await getContactRow(ctx.db.orm, id)
  await requireLevel(ctx, row, 'own')
  if (row.ownerId !== ownerId) throw new AppError('not_found')
  return openDetails(ctx.secrets, row)
}
