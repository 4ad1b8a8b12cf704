import type { Transaction } from '#server/db/client.ts'
import { audit } from '#server/platform/audit.ts'
import type { Services } from '#server/platform/context.ts'
import { writeHistory } from '#server/platform/history.ts'
import { completeClaims } from './bindings.repo.ts'
import type { TrackerRow } from './trackers.repo.ts'

const system = { actor: { kind: 'system', name: 'sync' }, address: null, requestId: '' } as const
/** For younger claims, a caller may still be waiting for the response. */
const waitedForMs = 5 * 60_000

/** Completes bindings whose response was lost and that no one retried, when the tracker has the domain; the history and the log record them. */
export async function resolveLostBindings(
  services: Pick<Services, 'clock' | 'events'>,
  tx: Transaction,
  { id, name }: Pick<TrackerRow, 'id' | 'name'>,
): Promise<void> {
  const zones = await completeClaims(tx, id, new Date(services.clock.now() - waitedForMs))
  if (zones.length === 0) return
  const after = { id, name }
  await writeHistory(
    tx,
    system,
    { source: 'panel' },
    zones.map((zone) => ({
      domainId: zone.id,
      subject: 'zone',
      key: 'tracker',
      label: 'tracker',
      before: { value: null },
      after: { value: after },
    })),
  )
  const entries = zones.map(({ id: entityId, name: entityName, ownerId }) => ({
    action: 'update' as const,
    entityType: 'zone' as const,
    entityId,
    entityName,
    ownerId,
    details: { tracker: { from: null, to: after } },
  }))
  await audit(tx, system, ...entries)
  for (const [ownerId, theirs] of Map.groupBy(zones, (zone) => zone.ownerId)) {
    const accountIds = [...new Set(theirs.map(({ accountId }) => accountId))]
    await services.events.publish(tx, ownerId, 'domains', accountIds)
  }
}
