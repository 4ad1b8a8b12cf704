import { whileLocked } from '#server/db/advisory-locks.ts'
import type { Transaction } from '#server/db/client.ts'
import { attachByName } from '#server/features/domains/mirror/index.ts'
import { audit } from '#server/platform/audit.ts'
import type { Services } from '#server/platform/context.ts'
import { writeHistory } from '#server/platform/history.ts'
import { runLoop } from '#server/platform/run-loop.ts'
import { AppError } from '#shared/errors/app-error.ts'
import { accessOf } from '../registrar-credential.ts'
import { getRow, readNow, updateFindings } from '../registrars.repo.ts'
import type { RegistrarRow } from '../registrars.repo.ts'
import { updateRenewalPrices } from '../renewals/renewals.repo.ts'
import { countNames, listDue } from './registrar-names.repo.ts'
import { reconcileMissingNames, writeReconciled } from './reconcile-missing-names.ts'
import { markGone, writeNames } from './write-names.ts'

/** Reads due registrar lists in this process, shared with other processes. Returns a function that stops it. */
export function startRegistrarSync(services: Services): () => Promise<void> {
  return runLoop(services, { name: 'registrars', everyMs: 5_000 }, (signal) => syncDueRegistrars(services, signal)).stop
}

/** The panel as an actor in the activity log. */
const system = { actor: { kind: 'system', name: 'sync' }, address: null, requestId: '' } as const
const everyMs = 6 * 3_600_000
const maxConcurrent = 4

/** After consecutive failures: ten minutes, doubling each time, up to the usual interval. */
const pauseMs = (failures: number): number => Math.min(everyMs, 600_000 * 2 ** Math.min(failures, 8))

/**
 * Reads a registrar's whole list page by page and matches it with the owner's domains. Written pages are kept when a later one fails. Only a complete
 * list shows which names are gone, and only if it does not lack implausibly many.
 */
async function syncNames(services: Services, id: string, signal: AbortSignal): Promise<void> {
  const row = await getRow(services.db.orm, id)
  const startedAt = new Date(services.clock.now())
  try {
    if (!(await updateFindings(services.db.orm, row, { syncing: true }))) return
    await services.db.orm.transaction((tx) => services.events.publish(tx, row.ownerId, 'registrars'))
    const connection = services.registrars.connect(accessOf(services.secrets, row))
    let cursor: string | null = null
    do {
      signal.throwIfAborted()
      const page = await connection.listNames(cursor, { priority: 'sync', signal })
      await writeNames(services.db.orm, id, page.names, startedAt)
      cursor = page.next
    } while (cursor !== null)
    const balanceAt = await readNow(services.db.orm)
    const balance = await connection.balance({ priority: 'sync', signal }).catch((error: unknown) => {
      if (signal.aborted) throw error
      return null
    })
    const prices = await connection.renewalPrices({ priority: 'sync', signal }).catch((error: unknown) => {
      if (signal.aborted) throw error
      return null
    })
    const reconciled = await reconcileMissingNames(services, id, connection, startedAt, { priority: 'sync', signal })
    const now = new Date(services.clock.now())
    await services.db.orm.transaction(async (tx) => {
      await markGone(tx, id, reconciled.gone, startedAt)
      await writeReconciled(tx, row, reconciled)
      const namesCount = await countNames(tx, id)
      const soonerMs = (reconciled.held?.nextSeconds ?? Number.POSITIVE_INFINITY) * 1_000
      const known = await updateFindings(tx, row, {
        namesCount,
        health: 'working',
        healthCode: null,
        healthMessage: null,
        checkedAt: now,
        syncedAt: now,
        syncing: false,
        syncErrorCode: null,
        syncErrorMessage: null,
        syncFailures: 0,
        nextSyncAt: new Date(now.getTime() + Math.min(everyMs, soonerMs)),
        ...(balance === null ? {} : { balanceMinor: balance.minor, balanceCurrency: balance.currency, balanceAt }),
      })
      if (!known) return
      if (prices !== null) await updateRenewalPrices(tx, id, prices)
      await attach(services, tx, row)
      await services.events.publish(tx, row.ownerId, 'registrars')
    })
  } catch (error) {
    await writeFailure(services, row, error, signal.aborted)
  }
}

/** Attaches domains with listed names to the registrar, and records it in their histories and the log. */
async function attach(services: Services, tx: Transaction, { id, name, ownerId }: RegistrarRow): Promise<void> {
  const attached = await attachByName(tx, id, ownerId)
  if (attached.length === 0) return
  const change = { subject: 'zone', key: 'registrar', label: 'registrar', before: { value: null }, after: { value: { id, name } } } as const
  await writeHistory(
    tx,
    null,
    { source: 'outside' },
    attached.map((zone) => ({ domainId: zone.id, ...change })),
  )
  await audit(tx, system, {
    action: 'update',
    entityType: 'registrar',
    entityId: id,
    entityName: name,
    ownerId,
    details: { attached: attached.length },
  })
  await services.events.publish(tx, ownerId, 'domains')
}

async function writeFailure(services: Services, row: RegistrarRow, error: unknown, stopped: boolean): Promise<void> {
  const now = services.clock.now()
  const known = error instanceof AppError ? error : null
  if (known === null && !stopped) services.log.error({ err: error, registrar: row.id }, 'failed to sync a registrar')
  const failure = {
    health: known?.code === 'registrar_auth' || known?.code === 'secret_unreadable' ? 'auth_error' : 'api_error',
    healthCode: known?.provider?.code ?? known?.code ?? null,
    healthMessage: known?.provider?.message ?? null,
    checkedAt: new Date(now),
    syncErrorCode: known?.code ?? 'internal',
    syncErrorMessage: known?.provider?.message ?? null,
    syncFailures: row.syncFailures + 1,
    nextSyncAt: new Date(now + pauseMs(row.syncFailures)),
  } as const
  await services.db.orm.transaction(async (tx) => {
    await updateFindings(tx, row, { syncing: false, ...(stopped ? {} : failure) })
    await services.events.publish(tx, row.ownerId, 'registrars')
  })
}

/** Reads due registrars, several concurrently and none by two processes; returns when none is due. */
export async function syncDueRegistrars(services: Services, signal: AbortSignal): Promise<void> {
  for (;;) {
    const due = await listDue(services.db.orm, new Date(services.clock.now()), maxConcurrent)
    if (due.length === 0 || signal.aborted) return
    const ids = due.map(({ id }) => id)
    // Stop when other processes hold all of them.
    if (
      (await whileLocked(services.db, 'registrar-names', ids, (id, lost) => syncNames(services, id, AbortSignal.any([signal, lost])))) === 0
    )
      return
  }
}
