import type { Transaction } from '#server/db/client.ts'
import { holdDisappearance, isMassDisappearance, takeHeld } from '#server/features/sync/index.ts'
import { audit } from '#server/platform/audit.ts'
import type { Services } from '#server/platform/context.ts'
import type { RegistrarCall, RegistrarConnection } from '#server/ports/registrar.ts'
import { AppError } from '#shared/errors/app-error.ts'
import { countNames, listMissing } from './registrar-names.repo.ts'
import type { RegistrarRow } from '../registrars.repo.ts'

interface ReconciledNames {
  readonly gone: readonly string[]
  /** Set when too many names are missing to trust the list yet. */
  readonly held: { readonly missing: number; readonly isNew: boolean; readonly nextSeconds: number | null } | null
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
 * Decides which names are gone after a complete list. When too many are missing, none are, until a list read ten minutes later and a sample of single
 * lookups agree, or a person decides.
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
  if (!isMassDisappearance(missing.length, known)) return { gone: missing, held: null }
  const confirm = async (names: readonly string[]): Promise<string[]> => {
    const gone: string[] = []
    for (const name of names) if (await isGone(connection, name, call)) gone.push(name)
    return gone
  }
  const { gone, isNew, nextSeconds } = await holdDisappearance(
    db,
    { kind: 'registrar', id: registrarId },
    { keys: missing, known, confirm },
  )
  if (gone.length > 0) return { gone, held: null }
  log.warn({ registrarId, missing: missing.length }, 'too many domains are missing from the list of a registrar; waiting for confirmation')
  return { gone: [], held: { missing: missing.length, isNew, nextSeconds } }
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
