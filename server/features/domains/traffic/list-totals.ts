import type { z } from 'zod'
import { getAccessScope } from '#server/platform/access-scope.ts'
import type { Ctx } from '#server/platform/context.ts'
import type { TrafficTotal, trafficTotalsInput } from '#shared/features/domains/traffic-totals.ts'
import { listOwners } from '../list/domains.repo.ts'
import { listTotals } from './totals.repo.ts'
import type { TotalsRow } from './totals.repo.ts'
import { trendOf } from './trend.ts'

/** The traffic of the actor's accounts or groups and of those shared with them; of all for an administrator. */
export async function listTrafficTotals(
  ctx: Ctx,
  { by, ...input }: z.output<typeof trafficTotalsInput>,
): Promise<{ totals: TrafficTotal[] }> {
  const scope = await getAccessScope(ctx, input, () => listOwners(ctx.db))
  return { totals: (await listTotals(ctx.db.orm, by, scope)).map(toTotal) }
}

const toSum = ([requests = 0, bytes = 0, threats = 0, clientErrors = 0, serverErrors = 0]: readonly number[]) => ({
  requests,
  bytes,
  threats,
  clientErrors,
  serverErrors,
})

const toTotal = ({ id, name, domains, day, week, month, days, readAt }: TotalsRow): TrafficTotal => ({
  id,
  name,
  domains,
  day: toSum(day),
  week: toSum(week),
  month: toSum(month),
  trend: trendOf(days),
  readAt: readAt.toISOString(),
})
