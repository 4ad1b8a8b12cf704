import type { Transaction } from '#server/db/client.ts'
import { AppError } from '#shared/errors/app-error.ts'
import { findTwin } from './registrars.repo.ts'
import type { RegistrarRow } from './registrars.repo.ts'

/**
 * An account that is there twice would show its names, and what they cost, twice.
 * @throws AppError registrar_exists with the `name` of the other
 */
export async function refuseTwin(tx: Transaction, row: Pick<RegistrarRow, 'id' | 'ownerId' | 'credentialHash'>): Promise<void> {
  const name = await findTwin(tx, row)
  if (name !== null) throw new AppError('registrar_exists', { params: { name } })
}
