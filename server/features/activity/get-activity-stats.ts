import type { z } from 'zod'
import { getPanelSettings } from '#server/features/settings/index.ts'
import { readActivityCode } from '#server/platform/activity-code.ts'
import type { Ctx } from '#server/platform/context.ts'
import type { ActivityStats, activityStatsInput } from '#shared/features/activity/schema.ts'
import { listCounts } from './activity.repo.ts'
import { viewerOf } from './activity-view.ts'
import { windowsOf } from './windows.policy.ts'

/**
 * Number of entries in total, today, this week, this month and on each of the last 7 days, and the most frequent action of those 7 days.
 * Uses hourly counts; where a day begins within an hour, the entries of that hour are counted individually.
 */
export async function getActivityStats(
  ctx: Ctx,
  { ownerId, weekStart, timeZone: asked }: z.output<typeof activityStatsInput>,
): Promise<ActivityStats> {
  const timeZone = asked ?? (await getPanelSettings(ctx)).timeZone
  const { today, week, month, days, since, betweenHours } = windowsOf(ctx.clock.now(), timeZone, weekStart)
  const rows = await listCounts(ctx.db, viewerOf(ctx.actor), { ownerId, since, today, timeZone, betweenHours })
  const windows = { total: 0, today: 0, week: 0, month: 0 }
  const byDay = new Map(days.map((date) => [date, { date, count: 0, denied: 0 }]))
  const actions = new Map<ActivityStats['actions'][number]['action'], number>()
  const entities = new Map<ActivityStats['entities'][number]['entityType'], number>()
  for (const { day, code, n } of rows) {
    if (day === null) {
      windows.total += n
      continue
    }
    if (day >= today) windows.today += n
    if (day >= week) windows.week += n
    if (day >= month) windows.month += n
    const kind = readActivityCode(code)
    const dayStats = byDay.get(day)
    if (kind === null || dayStats === undefined) continue
    dayStats.count += n
    if (kind.action === 'denied') dayStats.denied += n
    actions.set(kind.action, (actions.get(kind.action) ?? 0) + n)
    entities.set(kind.entityType, (entities.get(kind.entityType) ?? 0) + n)
  }
  return {
    windows,
    days: [...byDay.values()],
    actions: [...actions].map(([action, count]) => ({ action, count })).toSorted((a, b) => b.count - a.count),
    entities: [...entities].map(([entityType, count]) => ({ entityType, count })).toSorted((a, b) => b.count - a.count),
  }
}
