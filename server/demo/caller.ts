import type { Services } from '#server/platform/context.ts'
import { appRouter } from '#server/transports/trpc/router.ts'
import { t } from '#server/transports/trpc/trpc.ts'

const createCaller = t.createCallerFactory(appRouter)
/** Created for each call, so that none starts once the demo stops. */
function demoCtx(services: Services) {
  services.stopping.throwIfAborted()
  return { ...services, requestId: 'demo', address: null, userAgent: null, origin: null, recheck: () => Promise.resolve() }
}

export type DemoCaller = ReturnType<typeof createCaller>

/** The panel's procedures for an unauthenticated caller. */
export const callAsGuest = (services: Services): DemoCaller => createCaller(() => ({ ...demoCtx(services), actor: null }))

/** The panel's procedures for the owner of the session; `auth.logout` ends it. */
export async function callAs(services: Services, token: string): Promise<DemoCaller> {
  const actor = await services.sessions.find(token)
  return createCaller(() => ({ ...demoCtx(services), actor }))
}

/** As `callAs`, in a new session of that person. */
export const callAsUser = async (services: Services, userId: string): Promise<DemoCaller> =>
  callAs(services, await services.sessions.create(services.db.orm, userId, { address: null, userAgent: null }, 'password'))
