import { openZone } from '../access/open-zone.ts'
import type { Ctx } from '#server/platform/context.ts'
import { findLevel } from '#server/platform/access-scope.ts'
import { AppError } from '#shared/errors/app-error.ts'
import { isAtLeast } from '#shared/features/sharing/rules.ts'
import type { NameServerTruth } from '#shared/features/domains/settings/schema.ts'
import { requestActivationCheck } from './request-activation-check.ts'

function stateOf(wanted: readonly string[], delegated: readonly string[] | null): NameServerTruth['state'] {
  if (delegated === null) return 'unknown'
  if (delegated.length === 0) return 'none'
  const right = delegated.filter((host) => wanted.includes(host)).length
  if (right === 0) return 'elsewhere'
  return right === delegated.length && right === wanted.length ? 'right' : 'partly'
}

/** Concurrent DNS look-ups. */
const maxConcurrent = 25

/** Like `checkNameServers` for many zones; those that no longer exist or are without access are left out. */
export async function checkManyNameServers(ctx: Ctx, ids: readonly string[]): Promise<{ id: string; nameServers: NameServerTruth }[]> {
  const results: { id: string; nameServers: NameServerTruth }[] = []
  const left = [...new Set(ids)]
  const work = async () => {
    for (let id = left.shift(); id !== undefined; id = left.shift()) {
      try {
        results.push({ id, ...(await checkNameServers(ctx, id)) })
      } catch (error) {
        if (!(error instanceof AppError) || error.code !== 'not_found') throw error
      }
    }
  }
  await Promise.all(Array.from({ length: maxConcurrent }, work))
  return results
}

/**
 * The domain's delegation in public DNS, compared with the name servers assigned by the provider. If it is correct but not yet active at
 * the provider, an activation check is requested.
 * @throws AppError not_found
 */
export async function checkNameServers(ctx: Ctx, id: string): Promise<{ nameServers: NameServerTruth }> {
  const zone = await openZone(ctx, id, 'view')
  const wanted = zone.nameServers.map((host) => host.toLowerCase()).toSorted()
  const found = await ctx.delegation.findNameServers(zone.name)
  const delegated = found === null ? null : [...found]
  const state = stateOf(wanted, delegated)
  // A viewer must not trigger a check.
  const level = state === 'right' ? await findLevel(ctx, zone) : null
  if (level !== null && isAtLeast(level, 'operate')) await requestActivationCheck(ctx, zone, { priority: 'person' })
  const checkedAt = new Date(ctx.clock.now()).toISOString()
  return { nameServers: { wanted, delegated, state, checkedAt } }
}
