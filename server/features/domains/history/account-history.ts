import { randomUUID } from 'node:crypto'
import type { z } from 'zod'
import { openAccount } from '#server/features/sync/index.ts'
import type { OpenAccount } from '#server/features/sync/index.ts'
import type { Ctx } from '#server/platform/context.ts'
import { readTimeCursor } from '#server/platform/time-cursor.ts'
import { AppError } from '#shared/errors/app-error.ts'
import type {
  confirmRevertInput,
  listAccountHistoryInput,
  listHistoryOutput,
  revertInput,
  revertOutput,
  RevertPlan,
} from '#shared/features/domains/history/schema.ts'
import { applyAccountIpRules, listExpiries, readAccountIpRules, toLogged } from '../ip-access/index.ts'
import { listAccountEntries, listAccountEntriesByIds, listRestoredIpRules } from './history.repo.ts'
import { toPage } from './list-history.ts'
import { isRestoredIn, tokenOf } from './plan-revert.ts'
import { planSteps, sideOf } from './revert-steps.ts'
import type { Present, Slot } from './revert-steps.ts'
import { revertIpRules, toOutput } from './revert.ts'

/**
 * The panel's changes of what applies to all domains of an account (its rules of IP access), newest first.
 * @throws AppError not_found for an unknown account or one without access
 */
export async function listAccountHistory(
  ctx: Ctx,
  { id, batchId, cursor, limit }: z.output<typeof listAccountHistoryInput>,
): Promise<z.output<typeof listHistoryOutput>> {
  const after = readTimeCursor(cursor)
  await openAccount(ctx, id, 'view')
  return toPage(await listAccountEntries(ctx.db.orm, id, { batchId, after, limit: limit + 1 }), limit)
}

interface PlannedRevert {
  readonly account: OpenAccount
  readonly plan: RevertPlan
  readonly slots: Slot[]
}

async function plan(ctx: Ctx, { id, ids }: z.output<typeof revertInput>, force: boolean): Promise<PlannedRevert> {
  const account = await openAccount(ctx, id)
  const wanted = [...new Set(ids)]
  const entries = await listAccountEntriesByIds(ctx.db.orm, id, wanted)
  if (entries.length < wanted.length) throw new AppError('not_found')
  const [rules, expiries, reverts, restored] = await Promise.all([
    readAccountIpRules(account),
    listExpiries(ctx.db.orm, { accountId: id, domainId: null }),
    listAccountEntriesByIds(ctx.db.orm, id, [...new Set(entries.flatMap(({ revertedById }) => revertedById ?? []))]),
    listRestoredIpRules(ctx.db.orm, { accountId: id }),
  ])
  const present: Present = {
    takenBackTo(entry) {
      const revert = reverts.find((each) => each.id === entry.revertedById)
      return revert === undefined ? undefined : sideOf(revert, 'after')
    },
    ipRules: rules.map((rule) => toLogged(rule, expiries.get(rule.id) ?? null)),
    isRestoredIpRule: isRestoredIn(restored),
    nowMs: ctx.clock.now(),
    // An account has nothing else with a history.
    records: null,
    missingRecords: [],
    rules: null,
    ruleLimit: () => null,
    setting: () => undefined,
    zone: () => undefined,
    refusal: () => 'not_writable',
  }
  const { steps, slots } = planSteps(entries, present, false)
  // The rules are read before they are changed.
  const calls = slots.length === 0 ? 0 : slots.length + 1
  const chosen = force ? planSteps(entries, present, true).slots : slots
  return { account, plan: { token: tokenOf(steps), steps, calls, warnings: [] }, slots: chosen }
}

/**
 * Reads the rules of the account, and sends nothing.
 * @throws AppError not_found, level_too_low, provider_*, redirect_account_unclear
 */
export const previewAccountRevert = async (ctx: Ctx, input: z.output<typeof revertInput>): Promise<RevertPlan> =>
  (await plan(ctx, input, false)).plan

/**
 * Reverts entries of an account as previewed. Refusals by the provider are reported by entry; the others are done.
 * @throws AppError not_found, level_too_low, provider_*; conflict if the plan no longer matches the token, in which case nothing was sent
 */
export async function revertAccount(
  ctx: Ctx,
  { token, force, ...input }: z.output<typeof confirmRevertInput>,
): Promise<z.output<typeof revertOutput>> {
  const planned = await plan(ctx, input, force)
  if (planned.plan.token !== token) throw new AppError('conflict')
  const options = { priority: 'person', source: 'revert', batchId: randomUUID() } as const
  const failures = await revertIpRules(planned.slots, (changes) => applyAccountIpRules(ctx, planned.account, changes, options))
  return toOutput(planned.slots, failures)
}
