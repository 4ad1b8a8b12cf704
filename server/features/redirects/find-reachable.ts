import { getSharedScope } from '#server/platform/access-scope.ts'
import type { Ctx } from '#server/platform/context.ts'
import { listReachable } from './redirects.repo.ts'

export type ReachableRedirect = Awaited<ReturnType<typeof listReachable>>[number]

/**
 * The stored redirects of all accounts that the actor sees which a visit of one of these hosts can go through.
 * @param except an account whose own redirects do not matter unless the way leads through another one
 */
export async function findReachable(ctx: Ctx, hosts: readonly string[], except: string | null = null): Promise<ReachableRedirect[]> {
  const { role, userId } = ctx.actor
  const owners = role === 'admin' ? null : { userId, shared: await getSharedScope(ctx) }
  return listReachable(ctx.db.orm, owners, hosts, except)
}
