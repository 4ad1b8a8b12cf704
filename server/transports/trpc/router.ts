import { accountsRouter } from '#server/features/accounts/accounts.router.ts'
import { authRouter } from '#server/features/auth/auth.router.ts'
import { domainsRouter } from '#server/features/domains/domains.router.ts'
import { liveRouter } from '#server/features/live/live.router.ts'
import { t } from '#server/transports/trpc/trpc.ts'

export const appRouter = t.router({
  accounts: accountsRouter,
  auth: authRouter,
  domains: domainsRouter,
  live: liveRouter,
})

export type AppRouter = typeof appRouter
