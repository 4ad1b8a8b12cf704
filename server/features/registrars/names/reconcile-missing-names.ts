import type { Transaction } from '#server/db/client.ts'
import { holdDisappearance, pickSample, splitMissing, takeHeld } from '#server/features/sync/index.ts'
import type { HeldList } from '#server/features/sync/index.ts'
import { audit } from '#server/platform/audit.ts'
import type { Services } from '#server/platform/context.ts'
import type { RegistrarCall, RegistrarConnection } from '#server/ports/registrar.ts'
import { AppError } from '#shared/errors/app-error.ts'
import { countNames, listMissing } from './registrar-names.repo.ts'
import type { RegistrarRow } from '../registrars.repo.ts'

interface ReconciledNames {
  readonly gone: readonly string[]
  /** Set when so many names are missing that a person has to decide. */
  readonly held: HeldList | null
}

/** Error codes that show that the registrar still has a name. */
const stillThere = new Set(['registrar_busy', 'registrar_expired', 'registrar_name_closed'])

async function isGone(connection: RegistrarConnection, name: string, call: RegistrarCall): Promise<boolean> {
  try {
    await connection.getName(name, call)
    return false
  } catch (error) {
    if (error instanceof AppError && error.code === 'registrar_not_found') return true
    if (error instanceof AppError && stillThere.has(error.code)) return false
    throw error
  }
}

/**
 * Decides which names are gone after a complete list. When too many are missing, none are, until they are listed again or a person decides.
 */
export async function reconcileMissingNames(
  { db, log }: Services,
  registrarId: string,
  connection: RegistrarConnection,
  seenAt: Date,
  call: RegistrarCall,
): Promise<ReconciledNames> {
  const missing = await listMissing(db.orm, registrarId, seenAt)
  const known = await countNames(db.orm, registrarId)
  const subject = { kind: 'registrar', id: registrarId } as const
  const { gone, held: keys } = await splitMissing(db, subject, missing, known)
  if (keys.length === 0) return { gone, held: null }
  const sample = pickSample(missing)
  let stillThere = 0
  for (const name of sample) if (!(await isGone(connection, name, call))) stillThere += 1
  const held = await holdDisappearance(db, subject, { keys, known, sampled: sample.length, stillThere })
  log.warn({ registrarId, missing: held.missing }, 'too many domains are missing from the list of a registrar; waiting for a decision')
  return { gone: stillThere === 0 ? gone : [], held }
}

/** Logs once when names went missing, and when they were removed. A list that is trusted again ends the hold. */
export async function writeReconciled(
  tx: Transaction,
  { id, name, ownerId }: RegistrarRow,
  { gone, held }: ReconciledNames,
): Promise<void> {
  const entry = { action: 'sync', entityType: 'registrar', entityId: id, entityName: name, ownerId } as const
  const ended = held === null ? await takeHeld(tx, { kind: 'registrar', id }) : null
  if (held?.isNew === true) await audit(tx, system, { ...entry, details: { missing: held.missing } })
  else if (ended !== null) await audit(tx, system, { ...entry, details: { gone: gone.length } })
}

/** The panel as an actor in the activity log. */
const system = { actor: { kind: 'system', name: 'sync' }, address: null, requestId: '' } as const
