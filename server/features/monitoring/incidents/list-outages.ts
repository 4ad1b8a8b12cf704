import { domainToUnicode } from 'node:url'
import { getOwnerScope } from '#server/platform/access-scope.ts'
import type { Ctx } from '#server/platform/context.ts'
import { readCause } from '#shared/features/monitoring/cause.ts'
import type { Notification } from '#shared/features/notifications/schema.ts'
import { describeCauses } from './cause-names.repo.ts'
import { isoOf, reasonList } from './incident-view.ts'
import { listOutageRows } from './outages.repo.ts'

type Outage = Omit<Extract<Notification, { kind: 'incident' }>, 'kind' | 'isRead'>

/** Incidents of the actor's domains and of those shared with them, those of one cause that began together as one; newest first. */
export async function listOutages(ctx: Ctx, since: Date, limit: number): Promise<Outage[]> {
  const { role, userId } = ctx.actor
  // An administrator sees everybody's incidents in the monitoring, and is notified of their own.
  const scope = await getOwnerScope(ctx, role === 'admin' ? userId : undefined)
  const rows = await listOutageRows(ctx.db.orm, scope, { since, limit })
  const names = await describeCauses(ctx.db.orm, [...new Set(rows.map(({ cause }) => cause))])
  return rows.map(({ ownerId, cause, names: first, reasons, openedAt, endedAt, ...row }) => {
    // Registrars and trackers of a domain are visible only to their owner.
    const isHidden = ['registrar', 'tracker'].includes(readCause(cause).kind) && role !== 'admin' && ownerId !== userId
    return {
      ...row,
      cause,
      causeName: isHidden ? '' : (names.get(cause)?.name ?? ''),
      names: first.map((name) => domainToUnicode(name) || name),
      reasons: reasonList.parse(reasons),
      at: isoOf(openedAt),
      endedAt: endedAt === null ? null : isoOf(endedAt),
    }
  })
}
