import { t } from '#server/transports/trpc/trpc.ts'

export const appRouter = t.router({})

export type AppRouter = typeof appRouter
