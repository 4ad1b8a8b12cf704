import { connectAccount, openAccountOfJob } from '#server/features/sync/index.ts'
import type { Services } from '#server/platform/context.ts'
import { runLoop } from '#server/platform/run-loop.ts'
import { listZonesWithAccounts } from '../access/zone-access.repo.ts'
import { applyAccountIpRules } from './account-ip-access.ts'
import { applyIpRules } from './apply-ip-rules.ts'
import { claimDue, deleteExpiries, isExpired, postponeExpiries } from './ip-access.repo.ts'
import type { DueRule, RulePlace } from './ip-access.repo.ts'
import { failureOf } from './send-ip-rules.ts'
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
  const now = new Date(services.clock.now())
  const due = await claimDue(services.db.orm, now, new Date(now.getTime() + claimMs), perRound)
  for (const rules of Map.groupBy(due, ({ accountId, domainId }) => `${accountId} ${domainId ?? ''}`).values()) {
    const [place] = rules
    if (place === undefined || signal?.aborted === true) continue
    const ids = rules.map(({ ruleId }) => ruleId)
    if (await isDeleted(services, place, rules, now, signal)) {
      // Those that got another mode or are gone are not looked at again.
      await deleteExpiries(services.db.orm, place, ids, now)
      continue
    }
    const tries = Math.max(...rules.map((rule) => rule.tries))
    const waitMs = Math.min(firstRetryMs * 2 ** (tries - 1), longestRetryMs)
    await postponeExpiries(services.db.orm, place, ids, { now, nextTryAt: new Date(services.clock.now() + waitMs) })
  }
  return due.length
}

async function isDeleted(services: Services, place: RulePlace, rules: readonly DueRule[], now: Date, signal?: AbortSignal) {
  try {
    return await deleteRules(services, place, rules, now, signal)
  } catch (error) {
    services.log.warn({ err: error, ...placeFields(place) }, 'failed to delete expired rules of IP access')
    return false
  }
}

const placeFields = ({ accountId, domainId }: RulePlace) => ({ account: accountId, zone: domainId })

/**
 * False: the domain is gone, perhaps for a time only.
 * @throws AppError provider_*
 */
async function deleteRules(
  services: Services,
  place: RulePlace,
  rules: readonly DueRule[],
  now: Date,
  signal?: AbortSignal,
): Promise<boolean> {
  const changes = rules.map(({ ruleId, mode }): IpRuleChange => ({
    kind: 'delete',
    of: { ruleId },
    // Somebody may have given it another purpose.
    isExpected: (rule) => rule.mode === mode,
    isStillDue: () => isExpired(services.db.orm, place, ruleId, now),
  }))
  const ctx = { ...services, actor, address: null, requestId: '' }
  const call = { priority: 'bulk', ...(signal === undefined ? {} : { signal }) } as const
  const sent = await send()
  const failure = sent === null ? null : failureOf(sent)
  if (failure !== null) throw failure
  return sent !== null

  async function send() {
    if (place.domainId === null) {
      const account = await openAccountOfJob(services, place.accountId)
      return account === null ? null : applyAccountIpRules(ctx, account, changes, { ...call, source: 'panel' })
    }
    const [row] = await listZonesWithAccounts(services.db.orm, [place.domainId])
    if (row === undefined || row.goneAt !== null) return null
    const { account, ...zone } = row
    const open = { ...zone, accountEmail: account.email, connection: connectAccount(services, account) }
    return applyIpRules(ctx, open, changes, { ...call, source: 'panel' })
  }
}
