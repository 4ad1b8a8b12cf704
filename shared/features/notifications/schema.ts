import { z } from 'zod'
import { possibleInstant } from '#shared/instant.ts'
import { reason } from '#shared/features/monitoring/schema.ts'

const instant = z.iso.datetime()

/** Incidents of one cause that began together. */
const outage = z.object({
  kind: z.literal('incident'),
  /** The first incident. */
  id: z.uuid(),
  at: instant,
  isRead: z.boolean(),
  cause: z.string(),
  /** The name of the account, registrar or tracker that is the cause, if you may see it. */
  causeName: z.string(),
  health: z.enum(['critical', 'warnings']),
  /** Affected domains or accounts, and the first of them. */
  count: z.int().positive(),
  names: z.array(z.string()),
  reasons: z.array(reason),
  /** When all of them had ended. */
  endedAt: instant.nullable(),
})

/** An operation of yours that failed for some of its domains, or took half a minute or longer. */
const finished = z.object({
  kind: z.literal('operation'),
  id: z.uuid(),
  at: instant,
  isRead: z.boolean(),
  operation: z.object({ kind: z.string(), subject: z.string().nullable(), undoOfKind: z.string().nullable() }),
  state: z.enum(['done', 'cancelled']),
  done: z.int().nonnegative(),
  failed: z.int().nonnegative(),
})

export const notification = z.discriminatedUnion('kind', [outage, finished])
export type Notification = z.infer<typeof notification>

/** Notifications of this many days are listed, at most `mostNotifications` of each kind. */
export const notificationDays = 7
export const mostNotifications = 30

export const listNotificationsOutput = z.object({
  notifications: z.array(notification),
  unread: z.int().nonnegative(),
})
/** `until`: the time of the newest notification that was seen. */
export const readNotificationsInput = z.object({ until: possibleInstant })
