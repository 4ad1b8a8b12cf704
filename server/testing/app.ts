import type { FastifyInstance } from 'fastify'
import { buildApp } from '#server/app.ts'
import type { AppOptions } from '#server/app.ts'
import type { users } from '#server/db/schema/index.ts'
import type { UserActor } from '#server/platform/actor.ts'
import type { Services } from '#server/platform/context.ts'
import { insertUser } from '#server/testing/factories.ts'
import { contextOf, createTestServices } from '#server/testing/services.ts'
import type { TestServices, TestServicesOptions } from '#server/testing/services.ts'
import { appRouter } from '#server/transports/trpc/router.ts'
import { t } from '#server/transports/trpc/trpc.ts'

const createCaller = t.createCallerFactory(appRouter)

/** Every procedure, typed, called by this actor from a page of `origin`; all of tRPC except the network. */
export const callAs = (services: Services, actor: UserActor | null, origin: string | null = null) =>
  // A context of its own for each call, as with requests: shares are read once per context.
  createCaller(() => ({ ...contextOf(services, actor), origin, recheck: () => Promise.resolve() }))

export interface SignedIn {
  readonly user: typeof users.$inferSelect
  readonly token: string
  readonly actor: UserActor
  readonly call: ReturnType<typeof callAs>
  /** For `app.inject({ headers })`. */
  readonly headers: { readonly authorization: string }
}

/** A new user (or the given one) with a session. */
export async function signIn(services: Services, given: Parameters<typeof insertUser>[1] = {}): Promise<SignedIn> {
  const user = await insertUser(services.db, given)
  const token = await services.sessions.create(services.db.orm, user.id, { address: '192.0.2.1', userAgent: 'test' })
  const found = await services.sessions.find(token)
  if (found === null) throw new Error('the session was not found')
  // `call` outlives the request, so the person's shares must be loaded each time.
  const { hasGrants: _, ...actor } = found
  return { user, token, actor, call: callAs(services, actor), headers: { authorization: `Bearer ${token}` } }
}

export interface TestApp extends TestServices {
  readonly app: FastifyInstance
}

/** The whole server on its own database, for `app.inject`; it listens only on request. */
export async function createTestApp(options: TestServicesOptions & Partial<AppOptions> = {}): Promise<TestApp> {
  const test = await createTestServices(options)
  const app = await buildApp(test.services, {
    publicUrl: options.publicUrl ?? 'http://panel.test',
    trustProxy: options.trustProxy ?? [],
    clientDir: options.clientDir ?? null,
    ...(options.serviceWorker !== undefined && { serviceWorker: options.serviceWorker }),
    ...(options.browserSession && { browserSession: options.browserSession }),
    ...(options.metrics && { metrics: options.metrics }),
  })
  return {
    ...test,
    app,
    async close() {
      test.stop()
      await app.close()
      await test.close()
    },
  }
}
