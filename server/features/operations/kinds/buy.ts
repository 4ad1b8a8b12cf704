import { z } from 'zod'
import type { Ctx } from '#server/platform/context.ts'
import { buyName } from '#server/features/registrars/index.ts'
import { bindDomain } from '#server/features/trackers/index.ts'
import { AppError } from '#shared/errors/app-error.ts'
import { trackerBindRequest } from '#shared/features/operations/requests.ts'
import { bulkCreateInput } from '#shared/features/operations/schema.ts'
import type { PurchaseStep } from '#shared/features/operations/schema.ts'
import { money } from '#shared/features/registrars/schema.ts'
import { decideRetry } from '../failure.policy.ts'
import type { OperationKind } from '../operation-kind.ts'
import { noteProgress } from '../run-items.repo.ts'
import { create } from './create.ts'

const buyInput = bulkCreateInput.extend({
  contactId: z.uuid(),
  privacy: z.boolean(),
  autoRenew: z.boolean(),
  /** IP address of the user who requested it; some registrars require it. */
  endUserIp: z.string(),
  tracker: trackerBindRequest.nullish(),
})
export type BuyInput = z.output<typeof buyInput>

/** The confirmed terms for one name, in addition to what `create` keeps. */
const ownWork = z.object({ registrarId: z.string(), price: money, years: z.number(), premium: z.boolean() })
export type BuyWork = z.infer<typeof ownWork>

/** The result that `create` returns for an added domain. */
const created = z.looseObject({ zoneId: z.string(), nameServers: z.array(z.string()) })

const done = (step: PurchaseStep['step']): PurchaseStep => ({ step, state: 'done', code: null })
/** Cloudflare looks the name up in the registry, which shows a new name after a while. */
const unseenSeconds = 60

/** The purchase steps up to this failure. `added` is the setup step that failed; without it there is no zone. */
function stepsUntil(error: AppError, attempt: number): PurchaseStep[] {
  const state = decideRetry(error, attempt).next === 'wait' ? 'waiting' : 'failed'
  const failed = (step: PurchaseStep['step']): PurchaseStep => ({ step, state, code: error.code })
  const { added } = error.params
  if (added === undefined) return [failed('zone')]
  if (added === 'tracker') return [...(['zone', 'setup', 'name_servers'] as const).map(done), failed('tracker')]
  const atRegistrar = added === 'registrar' || added === 'name_servers'
  return [done('zone'), ...(atRegistrar ? [done('setup'), failed('name_servers')] : [failed('setup')])]
}

/**
 * What public DNS says about a new domain. A delegation that does not point to Cloudflare yet is reported, not a failure: registries
 * publish new names with a delay.
 */
async function firstCheck(ctx: Ctx, name: string, wanted: readonly string[]): Promise<PurchaseStep> {
  const found = await ctx.delegation.findNameServers(name)
  const right = found !== null && wanted.length > 0 && wanted.every((host) => found.includes(host.toLowerCase()))
  return { step: 'first_check', state: 'done', code: right ? null : found === null ? 'dns_silent' : 'dns_not_yet' }
}

/**
 * Turns a name into a working domain: buys it, adds it as `create` does, sets its name servers and checks DNS (R-BUY-01). Each step first
 * checks what is already done.
 */
export const buy: OperationKind<BuyInput> = {
  input: buyInput,
  async run(ctx, item, input, signal) {
    const { operationId, name, attempt } = item
    const note = (steps: readonly PurchaseStep[]) => noteProgress(ctx.db.orm, item, { steps })
    const { contactId, privacy, autoRenew, endUserIp } = input
    try {
      const order = { operationId, name, ...ownWork.parse(item.plan.work), contactId, privacy, autoRenew, endUserIp }
      await buyName(ctx, order, { priority: 'bulk', signal })
    } catch (error) {
      if (error instanceof AppError && !signal.aborted) {
        await note([{ step: 'buy', state: decideRetry(error, attempt).next === 'wait' ? 'waiting' : 'failed', code: error.code }])
      }
      throw error
    }
    await note([done('buy')])
    try {
      const outcome = await create.run(ctx, item, input, signal)
      if (outcome.state !== 'done') return outcome
      const result = created.parse(outcome.result)
      const { zoneId: domainId, nameServers } = result
      const steps = (['buy', 'zone', 'setup', 'name_servers'] as const).map(done)
      if (input.tracker != null) {
        const options = { call: { priority: 'bulk', signal }, history: { source: 'operation', batchId: operationId }, again: true } as const
        await bindDomain(ctx, { ...input.tracker, id: domainId }, options).catch((error: unknown) => {
          if (!(error instanceof AppError)) throw error
          const { code, params, provider } = error
          throw new AppError(code, { params: { ...params, added: 'tracker' }, ...(provider && { provider }), cause: error })
        })
        steps.push(done('tracker'))
      }
      return { state: 'done', result: { ...result, steps: [...steps, await firstCheck(ctx, name, nameServers)] } }
    } catch (given) {
      if (!(given instanceof AppError) || signal.aborted) throw given
      const error =
        given.code === 'zone_not_registered'
          ? new AppError('zone_lookup_failed', {
              params: { retryAfterSeconds: unseenSeconds * attempt },
              ...(given.provider === undefined ? {} : { provider: given.provider }),
              cause: given,
            })
          : given
      await note([done('buy'), ...stepsUntil(error, attempt)])
      throw error
    }
  },
  elsewhere: (ctx, item, input, error) => create.elsewhere?.(ctx, item, input, error) ?? Promise.resolve(null),
}
