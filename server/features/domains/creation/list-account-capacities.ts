import type { z } from 'zod'
import type { Ctx } from '#server/platform/context.ts'
import { getSharedScope } from '#server/platform/access-scope.ts'
import type { standingsOutput } from '#shared/features/domains/creation/schema.ts'
import { creationLimit, placesOf } from './distribute.policy.ts'
import type { Capacity } from './distribute.policy.ts'
import { listAccountCapacities as readCapacities } from './zone-creation.repo.ts'
import type { AccountCapacity } from './zone-creation.repo.ts'

const toCapacity = ({ refusal, ...row }: AccountCapacity): Capacity & AccountCapacity => ({ ...row, refusal, refused: refusal !== null })

async function getAccountScope(ctx: Ctx) {
  if (ctx.actor.role === 'admin') return { ownerId: null, others: [] }
  return { ownerId: ctx.actor.userId, others: (await getSharedScope(ctx, 'view'))?.accountIds ?? [] }
}

/** The existing accounts among these that the actor sees. */
export async function getAccountCapacities(ctx: Ctx, ids: readonly string[]): Promise<(Capacity & AccountCapacity)[]> {
  const rows = await readCapacities(ctx.db, ids, await getAccountScope(ctx), creationLimit.seconds)
  return rows.map(toCapacity)
}

/** The capacity for new domains of each account that the actor sees. */
export async function listAccountCapacities(ctx: Ctx): Promise<z.infer<typeof standingsOutput>> {
  const rows = await readCapacities(ctx.db, null, await getAccountScope(ctx), creationLimit.seconds)
  return {
    accounts: rows.map(toCapacity).map((account) => {
      const { id, active, pending, createdLately, refusal } = account
      const places = placesOf(account)
      return { id, active, pending, refusal, places, now: Math.min(places, Math.max(0, creationLimit.zones - createdLately)) }
    }),
  }
}
