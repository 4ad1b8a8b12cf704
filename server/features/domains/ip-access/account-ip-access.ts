import { randomUUID } from 'node:crypto'
import type { z } from 'zod'
import { openAccount } from '#server/features/sync/index.ts'
import type { OpenAccount } from '#server/features/sync/index.ts'
import { audit } from '#server/platform/audit.ts'
import type { AuditSource } from '#server/platform/audit.ts'
import type { Ctx } from '#server/platform/context.ts'
import { writeAccountHistory } from '#server/platform/history.ts'
import type { HistoryOptions } from '#server/platform/history.ts'
import { createSerializer } from '#server/platform/serialize-by-key.ts'
import type { CallOptions } from '#server/ports/dns-host.ts'
import { AppError } from '#shared/errors/app-error.ts'
import type {
  addIpRulesInput,
  addIpRulesOutput,
  changedIpRulesAnswer,
  deleteIpRuleInput,
  IpRules,
  updateIpRuleInput,
} from '#shared/features/domains/ip-access/schema.ts'
import { toDifference } from './apply-ip-rules.ts'
import { deleteExpiries, listExpiries, upsertExpiry } from './ip-access.repo.ts'
import { toStoredIpRule } from './logged-ip-rule.ts'
import type { StoredIpRule } from './logged-ip-rule.ts'
import { detailsOf } from './read-ip-rules.ts'
import type { IpAccessCtx } from './read-ip-rules.ts'
import { changeResult, creationsOf, parseExpiry } from './rule-input.ts'
import { failureOf, sendIpRules } from './send-ip-rules.ts'
import type { IpRuleChange, SentIpRules } from './send-ip-rules.ts'
import { toAnswer } from './zone-ip-access.ts'

/** What is read must not be older than a change that was made. */
const serializeAccount = createSerializer()
const person = { priority: 'person' } as const

type Account = Pick<OpenAccount, 'id' | 'ownerId' | 'email' | 'connection' | 'providerAccountId'>

/**
 * Changes rules of a whole account, which apply to all its domains, after reading all: other rules are not sent. What was made is in the history
 * and the activity log also if a later change is refused.
 * @throws AppError provider_* of the reading, redirect_account_unclear
 */
export async function applyAccountIpRules(
  ctx: IpAccessCtx & AuditSource,
  account: Account,
  changes: readonly IpRuleChange[],
  { source, batchId = null, ...call }: CallOptions & HistoryOptions,
): Promise<SentIpRules> {
  return serializeAccount(account.id, async () => {
    const scope = { account: await account.providerAccountId(call) }
    const place = { accountId: account.id, domainId: null }
    const known = await listExpiries(ctx.db.orm, place)
    const rules = (await account.connection.listIpRules(scope, call)).map(toStoredIpRule)
    const sent = await sendIpRules(account.connection, scope, rules, changes, { ...call, expiries: known, clock: ctx.clock })
    await ctx.db.orm.transaction(async (tx) => {
      const expiries = await listExpiries(tx, place)
      const own = sent.made.flatMap((one) => {
        const difference = toDifference(one, expiries)
        return difference === null ? [] : [{ ...difference, revertsId: one.change.revertsId ?? null }]
      })
      const present = new Set(sent.rules.map(({ id }) => id))
      const permanent = own.filter(({ after }) => after?.expiresAt === null).map(({ key }) => key)
      // A rule that another process adds meanwhile is not in the reading.
      await deleteExpiries(tx, place, [...permanent, ...[...known.keys()].filter((id) => !present.has(id))])
      for (const { after } of own) {
        if (after !== null && after.expiresAt !== null) await upsertExpiry(tx, place, after, new Date(after.expiresAt))
      }
      if (own.length === 0) return
      const { id: entityId, email: entityName, ownerId } = account
      await writeAccountHistory(tx, ctx, { source, batchId }, entityId, own)
      await audit(tx, ctx, { action: 'update', entityType: 'account', entityId, entityName, ownerId, details: detailsOf(own, source) })
      await ctx.events.publish(tx, ownerId, 'accounts', [entityId])
    })
    return sent
  })
}

const answerOf = async (ctx: Ctx, { id }: Account, rules: readonly StoredIpRule[]): Promise<IpRules> =>
  toAnswer({ rules, readAt: new Date(ctx.clock.now()) }, await listExpiries(ctx.db.orm, { accountId: id, domainId: null }))

/** @throws AppError provider_*, redirect_account_unclear */
export async function readAccountIpRules(account: Account): Promise<StoredIpRule[]> {
  return (await account.connection.listIpRules({ account: await account.providerAccountId(person) }, person)).map(toStoredIpRule)
}

/**
 * The current rules of a whole account at the provider.
 * @throws AppError not_found, provider_*, redirect_account_unclear
 */
export async function listAccountIpRules(ctx: Ctx, id: string): Promise<IpRules> {
  const account = await openAccount(ctx, id, 'view')
  return answerOf(ctx, account, await readAccountIpRules(account))
}

/**
 * Adds a rule of the account for each value that has none.
 * @throws AppError not_found, level_too_low, ip_access_expired, provider_*, redirect_account_unclear
 */
export async function addAccountIpRules(
  ctx: Ctx,
  { id, ...input }: z.output<typeof addIpRulesInput>,
): Promise<z.output<typeof addIpRulesOutput>> {
  const account = await openAccount(ctx, id)
  const batchId = randomUUID()
  const sent = await applyAccountIpRules(ctx, account, creationsOf(input, ctx.clock.now()), { ...person, source: 'panel', batchId })
  const failure = failureOf(sent)
  if (failure !== null) throw failure
  return { ...(await answerOf(ctx, account, sent.rules)), ...changeResult(sent), batchId }
}

type ChangedIpRules = z.output<typeof changedIpRulesAnswer>

async function changeOne(ctx: Ctx, id: string, change: IpRuleChange): Promise<ChangedIpRules> {
  const account = await openAccount(ctx, id)
  const batchId = randomUUID()
  const sent = await applyAccountIpRules(ctx, account, [change], { ...person, source: 'panel', batchId })
  const { unchanged, rules } = sent
  const failure = failureOf(sent)
  if (failure !== null) throw failure
  if (unchanged > 0) throw new AppError('not_found')
  return { ...(await answerOf(ctx, account, rules)), batchId }
}

/** @throws AppError not_found, level_too_low, ip_access_expired, provider_*, redirect_account_unclear */
export const updateAccountIpRule = (
  ctx: Ctx,
  { id, ruleId, mode, note, expiresAt }: z.output<typeof updateIpRuleInput>,
): Promise<ChangedIpRules> =>
  changeOne(ctx, id, {
    kind: 'update',
    ruleId,
    isExpected: () => true,
    set: { mode, note, expiresAt: expiresAt === undefined ? undefined : parseExpiry(expiresAt, ctx.clock.now()) },
  })

/** @throws AppError not_found, level_too_low, provider_*, redirect_account_unclear */
export const deleteAccountIpRule = (ctx: Ctx, { id, ruleId }: z.output<typeof deleteIpRuleInput>): Promise<ChangedIpRules> =>
  changeOne(ctx, id, { kind: 'delete', of: { ruleId }, isExpected: () => true })
