import type { Actor } from '#server/platform/actor.ts'
import type { Ctx } from '#server/platform/context.ts'

export interface Health {
  readonly status: 'ok' | 'unavailable'
  readonly version: string
  readonly database: 'ok' | 'unavailable'
}

const patienceMs = 3000

/** Always answers within a few seconds, however the database is. */
export async function getHealth(ctx: Pick<Ctx<Actor | null>, 'db' | 'version' | 'log'>): Promise<Health> {
  const timer = Promise.withResolvers<never>()
  const timeout = setTimeout(() => timer.reject(new Error(`no answer in ${patienceMs} ms`)), patienceMs)
  try {
    await Promise.race([ctx.db.sql`select 1`, timer.promise])
    return { status: 'ok', version: ctx.version, database: 'ok' }
  } catch (error) {
    ctx.log.error({ err: error }, 'the database does not answer')
    return { status: 'unavailable', version: ctx.version, database: 'unavailable' }
  } finally {
    clearTimeout(timeout)
  }
}
