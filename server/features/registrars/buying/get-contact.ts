import type { z } from 'zod'
import type { Ctx } from '#server/platform/context.ts'
import { requireLevel } from '#server/platform/access-scope.ts'
import { decryptStored } from '#server/platform/secrets.ts'
import type { Secrets } from '#server/platform/secrets.ts'
import type { RegistrantContact } from '#server/ports/registrar.ts'
import { AppError } from '#shared/errors/app-error.ts'
import { contact } from '#shared/features/registrars/buying/schema.ts'
import type { Contact } from '#shared/features/registrars/buying/schema.ts'
import { getContactRow, listContactRows } from './contacts.repo.ts'
import type { ContactRow } from './contacts.repo.ts'

export const contactContext = (id: string) => `contact:${id}:details`
const details = contact.omit({ id: true, ownerId: true, name: true, isDefault: true, unreadable: true, updatedAt: true })
type ContactDetails = z.infer<typeof details>

export const detailKeys = details.keyof().options
export const encryptDetails = (secrets: Secrets, id: string, given: ContactDetails): string =>
  secrets.encrypt(JSON.stringify(details.parse(given)), contactContext(id))
/** @throws AppError secret_unreadable */
export const openDetails = (secrets: Secrets, row: Pick<ContactRow, 'id' | 'name' | 'detailsSealed'>): ContactDetails =>
  details.parse(
    JSON.parse(
      decryptStored(secrets, { encrypted: row.detailsSealed, context: contactContext(row.id), secret: 'contact', name: row.name }),
    ),
  )

export const noDetails: ContactDetails = {
  firstName: '',
  lastName: '',
  organization: null,
  email: '',
  phone: '',
  address: '',
  city: '',
  region: '',
  postalCode: '',
  country: '',
  extra: {},
}

/** Null when the details cannot be decrypted, so that one such contact does not hide the others. */
export function findDetails(secrets: Secrets, row: Pick<ContactRow, 'id' | 'name' | 'detailsSealed'>): ContactDetails | null {
  try {
    return openDetails(secrets, row)
  } catch {
    return null
  }
}

export function toContact(secrets: Secrets, row: ContactRow): Contact {
  const { id, ownerId, name, isDefault, updatedAt } = row
  const found = findDetails(secrets, row)
  return { id, ownerId, name, isDefault, ...(found ?? noDetails), unreadable: found === null, updatedAt: updatedAt.toISOString() }
}

/** The actor's own contacts; for an administrator those of all owners. */
export async function listContacts(ctx: Ctx, { ownerId }: { readonly ownerId?: string | undefined }): Promise<{ contacts: Contact[] }> {
  const { role, userId } = ctx.actor
  if (role !== 'admin' && ownerId !== undefined && ownerId !== userId) return { contacts: [] }
  const rows = await listContactRows(ctx.db.orm, role === 'admin' ? (ownerId ?? null) : userId)
  return { contacts: rows.map((row) => toContact(ctx.secrets, row)) }
}

/**
 * The registrant data sent to a registry.
 * @throws AppError not_found, also for another owner's contact, secret_unreadable
 */
export async function getRegistrant(ctx: Ctx, id: string, ownerId: string): Promise<RegistrantContact> {
  const row = await getContactRow(ctx.db.orm, id)
  await requireLevel(ctx, row, 'own')
  if (row.ownerId !== ownerId) throw new AppError('not_found')
  return openDetails(ctx.secrets, row)
}
