import type { z } from 'zod'
import type { Ctx } from '#server/platform/context.ts'
import { getSharedScope } from '#server/platform/access-scope.ts'
import type { standingsOutput } from '#shared/features/domains/creation/schema.ts'
import { creationLimit, placesOf } from './distribute.policy.ts'
import type { Standing } from './distribute.policy.ts'
import { listStandings as readStandings } from './zone-creation.repo.ts'
import type { AccountStanding } from './zone-creation.repo.ts'

const standingOf = ({ refusal, ...row }: AccountStanding): Standing & AccountStanding => ({ ...row, refusal, refused: refusal !== null })

async function getAccountScope(ctx: Ctx) {
  if (ctx.actor.role === 'admin') return { ownerId: null, others: [] }
  return { ownerId: ctx.actor.userId, others: (await getSharedScope(ctx, 'view'))?.accountIds ?? [] }
}

/** Those of the accounts that there are and that the actor sees. */
export async function getStandings(ctx: Ctx, ids: readonly string[]): Promise<(Standing & AccountStanding)[]> {
  const rows = await readStandings(ctx.db, ids, await getAccountScope(ctx), creationLimit.seconds)
  return rows.map(standingOf)
}

/** How each account that the actor sees stands as to new domains. */
export async function listStandings(ctx: Ctx): Promise<z.infer<typeof standingsOutput>> {
  const rows = await readStandings(ctx.db, null, await getAccountScope(ctx), creationLimit.seconds)
  return {
    accounts: rows.map(standingOf).map((account) => {
      const { id, active, pending, createdLately, refusal } = account
      const places = placesOf(account)
      return { id, active, pending, refusal, places, now: Math.min(places, Math.max(0, creationLimit.zones - createdLately)) }
    }),
  }
}
