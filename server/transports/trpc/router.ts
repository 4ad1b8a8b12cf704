import { authRouter } from '#server/features/auth/auth.router.ts'
import { liveRouter } from '#server/features/live/live.router.ts'
import { t } from '#server/transports/trpc/trpc.ts'

export const appRouter = t.router({
  auth: authRouter,
  live: liveRouter,
})

export type AppRouter = typeof appRouter
