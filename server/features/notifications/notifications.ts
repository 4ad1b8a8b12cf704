import type { z } from 'zod'
import { listOutages } from '#server/features/monitoring/index.ts'
import { listFinishedOperations } from '#server/features/operations/index.ts'
import type { Ctx } from '#server/platform/context.ts'
import { mostNotifications, notificationDays } from '#shared/features/notifications/schema.ts'
import type { listNotificationsOutput, readNotificationsInput } from '#shared/features/notifications/schema.ts'
import { findReadUntil, moveReadUntil } from './notifications.repo.ts'

const dayMs = 86_400_000

/** What happened to the actor's domains, and to those shared with them, in the last days; newest first. */
export async function listNotifications(ctx: Ctx): Promise<z.output<typeof listNotificationsOutput>> {
  const since = new Date(ctx.clock.now() - notificationDays * dayMs)
  const [outages, finished, readUntil] = await Promise.all([
    listOutages(ctx, since, mostNotifications),
    listFinishedOperations(ctx, since, mostNotifications),
    findReadUntil(ctx.db.orm, ctx.actor.userId),
  ])
  const isRead = (at: string) => readUntil !== null && Date.parse(at) <= readUntil.getTime()
  const notifications = [
    ...outages.map((outage) => ({ kind: 'incident' as const, ...outage, isRead: isRead(outage.at) })),
    ...finished.map((operation) => ({ kind: 'operation' as const, ...operation, isRead: isRead(operation.at) })),
  ].toSorted((one, other) => Date.parse(other.at) - Date.parse(one.at))
  return { notifications, unread: notifications.filter(({ isRead: read }) => !read).length }
}

/** Marks what happened until then as read; never what is still to come. */
export async function readNotifications(ctx: Ctx, { until }: z.output<typeof readNotificationsInput>): Promise<void> {
  await moveReadUntil(ctx.db.orm, ctx.actor.userId, new Date(Math.min(Date.parse(until), ctx.clock.now())))
}
