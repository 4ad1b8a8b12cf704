import { z } from 'zod'
import { t, userProcedure } from '#server/transports/trpc/trpc.ts'
import { listNotificationsOutput, readNotificationsInput } from '#shared/features/notifications/schema.ts'
import { listNotifications, readNotifications } from './notifications.ts'

const tags = ['Monitoring']

export const notificationsRouter = t.router({
  list: userProcedure
    .meta({
      openapi: {
        method: 'GET',
        path: '/notifications',
        tags,
        summary: 'List your notifications',
        description: 'Incidents of the last seven days, and long or failed operations of yours, newest first.',
      },
    })
    .output(listNotificationsOutput)
    .query(({ ctx }) => listNotifications(ctx)),
  read: userProcedure
    .meta({
      openapi: { method: 'POST', path: '/notifications/read', tags, summary: 'Mark notifications as read' },
      rest: { status: 204 },
    })
    .input(readNotificationsInput)
    .output(z.void())
    .mutation(({ ctx, input }) => readNotifications(ctx, input)),
})
