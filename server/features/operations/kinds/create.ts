import { planRemoval } from './undo-zones.ts'
import { z } from 'zod'
import { addZone } from '#server/features/domains/creation/index.ts'
import { requireLevel } from '#server/platform/access-scope.ts'
import { AppError } from '#shared/errors/app-error.ts'
import { bulkCreateInput } from '#shared/features/operations/schema.ts'
import type { OperationKind } from '../operation-kind.ts'
import { listCreationAccounts } from '../plan-reading.repo.ts'
import { noteProgress } from '../run-items.repo.ts'

export type CreateInput = z.output<typeof bulkCreateInput>

/** The values of the line that apply only to its domain. */
const ownWork = z.object({
  ipAddress: z.string().nullable(),
  groupId: z.string().nullable(),
  registrarId: z.string().nullable().default(null),
  /** The line names the account, so no other account is used. */
  named: z.boolean(),
  /** It was planned for a later ten-minute window of its account. */
  later: z.boolean(),
})
export type CreateWork = z.infer<typeof ownWork>

/** Errors that every other domain would get in this account too. */
const ofTheAccount = new Set(['account_limit_reached', 'account_may_not_add', 'provider_auth'])
/** With a shorter delay it is not worth moving to another account. */
const longSeconds = 60
const fullMs = 600_000

/** Known to this process only: accounts that accept no more domains for now, and accounts that asked to wait. */
const fullUntil = new Map<string, number>()
const restsUntil = new Map<string, number>()
const holds = (until: ReadonlyMap<string, number>, id: string, nowMs: number) => (until.get(id) ?? 0) > nowMs

/** Adds new domains to accounts in priority order: when one accepts no more, the remaining domains move on to the next (R-DOM-07). */
export const create: OperationKind<CreateInput> = {
  input: bulkCreateInput,
  planUndo: planRemoval,
  async run(ctx, item, input, signal) {
    const { name, accountId, operationId, plan } = item
    const restMs = (restsUntil.get(accountId) ?? 0) - ctx.clock.now()
    if (restMs > 0) throw new AppError('provider_rate_limited', { params: { retryAfterSeconds: Math.ceil(restMs / 1000) } })
    const { ipAddress, groupId, registrarId } = ownWork.parse(plan.work)
    const { zone, serversSet, problems } = await addZone(
      ctx,
      { ...input, domainName: name, accountId, ipAddress, groupId, registrarId },
      {
        priority: 'bulk',
        source: 'operation',
        batchId: operationId,
        signal,
        orIn: input.accountIds,
        // Recorded first, so that the zone belongs to this operation and can be undone whatever happens next.
        onThere: ({ id: domainId, nameServers }) => noteProgress(ctx.db.orm, item, { zoneId: domainId, nameServers }),
      },
    )
    const [first] = problems
    // The zone exists, so the item stays with its account.
    if (first !== undefined) {
      const { code, params, provider } = first.error
      throw new AppError(code, {
        params: { ...params, added: first.part },
        ...(provider === undefined ? {} : { provider }),
        cause: first.error,
      })
    }
    return { state: 'done', result: { zoneId: zone.id, nameServers: zone.nameServers, serversSet } }
  },
  async elsewhere(ctx, { accountId, plan }, { accountIds }, error) {
    if (error.params['added'] !== undefined) return null
    const { named, later } = ownWork.parse(plan.work)
    const nowMs = ctx.clock.now()
    const restMs = error.code === 'provider_rate_limited' ? Number(error.params['retryAfterSeconds'] ?? 0) * 1000 : 0
    const full = ofTheAccount.has(error.code)
    if (full) fullUntil.set(accountId, nowMs + fullMs)
    else if (restMs >= longSeconds * 1000) restsUntil.set(accountId, nowMs + restMs)
    else return null
    if (named || (later && !full)) return null
    const open = accountIds.filter((id) => id !== accountId && !holds(fullUntil, id, nowMs))
    // An account that asked to wait will work again: better than having none, but no better than waiting for this one.
    const id = open.find((each) => !holds(restsUntil, each, nowMs)) ?? (full ? open[0] : undefined)
    if (id === undefined) return null
    const [account] = await listCreationAccounts(ctx.db, [id])
    if (account === undefined) throw new AppError('not_found')
    await requireLevel(ctx, account, 'manage')
    return account
  },
}
