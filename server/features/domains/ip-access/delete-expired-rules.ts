import { connectAccount, openAccountOfJob } from '#server/features/sync/index.ts'
import type { Services } from '#server/platform/context.ts'
import { runLoop } from '#server/platform/run-loop.ts'
import { AppError } from '#shared/errors/app-error.ts'
import { listZonesWithAccounts } from '../access/zone-access.repo.ts'
import { applyAccountIpRules } from './account-ip-access.ts'
import { applyIpRules } from './apply-ip-rules.ts'
import { claimDue, deleteExpiries, postponeExpiries } from './ip-access.repo.ts'
import type { DueRule, RulePlace } from './ip-access.repo.ts'
import type { IpRuleChange } from './send-ip-rules.ts'

const everyMs = 30_000
const perRound = 200
/** A process that dies while it deletes rules holds them no longer than this. */
const claimMs = 10 * 60_000
const [firstRetryMs, longestRetryMs] = [60_000, 6 * 3_600_000]

const actor = { kind: 'system', name: 'expiry' } as const

/** Deletes rules of the panel whose time has passed, each by one process. */
export function startIpRuleExpiry(services: Services): () => Promise<void> {
  const loop = runLoop(services, { name: 'ip_rule_expiry', everyMs }, async (signal) =>
    (await deleteExpiredRules(services, signal)) === perRound ? 0 : everyMs,
  )
  return () => loop.stop()
}

/** One round; returns how many rules were due. */
export async function deleteExpiredRules(services: Services, signal?: AbortSignal): Promise<number> {
  const nowMs = services.clock.now()
  const due = await claimDue(services.db.orm, new Date(nowMs), new Date(nowMs + claimMs), perRound)
  for (const rules of Map.groupBy(due, ({ accountId, domainId }) => `${accountId} ${domainId ?? ''}`).values()) {
    const [place] = rules
    if (place === undefined || signal?.aborted === true) continue
    try {
      await deleteRules(services, place, rules, signal)
    } catch (error) {
      services.log.warn({ err: error, ...placeFields(place) }, 'failed to delete expired rules of IP access')
      const tries = Math.max(...rules.map((rule) => rule.tries))
      const waitMs = Math.min(firstRetryMs * 2 ** (tries - 1), longestRetryMs)
      const ids = rules.map(({ ruleId }) => ruleId)
      await postponeExpiries(services.db.orm, place, ids, new Date(services.clock.now() + waitMs))
    }
  }
  return due.length
}

const placeFields = ({ accountId, domainId }: RulePlace) => ({ account: accountId, zone: domainId })

/** @throws AppError provider_* */
async function deleteRules(services: Services, place: DueRule, rules: readonly DueRule[], signal?: AbortSignal): Promise<void> {
  const changes = rules.map(({ ruleId, mode }): IpRuleChange => ({
    kind: 'delete',
    of: { ruleId },
    // Somebody has given it another purpose.
    isExpected: (rule) => rule.mode === mode,
  }))
  const ctx = { ...services, actor, address: null, requestId: '' }
  const call = { priority: 'bulk', ...(signal === undefined ? {} : { signal }) } as const
  const sent = await send()
  if (sent !== null && sent.refused !== null) throw sent.refused.error
  // Those that were changed or are gone are not looked at again.
  await deleteExpiries(
    services.db.orm,
    place,
    rules.map(({ ruleId }) => ruleId),
  )

  /** Null: the domain or the account is gone, and its rules with it. */
  async function send() {
    try {
      if (place.domainId === null) {
        const account = await openAccountOfJob(services, place.accountId)
        return account === null ? null : await applyAccountIpRules(ctx, account, changes, call)
      }
      const [row] = await listZonesWithAccounts(services.db.orm, [place.domainId])
      if (row === undefined || row.goneAt !== null) return null
      const { account, ...zone } = row
      const open = { ...zone, accountEmail: account.email, connection: connectAccount(services, account) }
      return await applyIpRules(ctx, open, changes, { ...call, source: 'panel' })
    } catch (error) {
      if (error instanceof AppError && error.code === 'provider_not_found') return null
      throw error
    }
  }
}
