import type { Database } from '#server/db/client.ts'
import { hasRead, listDueDetails, postponeDetail, postponePart, updateRulesDue } from '#server/features/domains/mirror/index.ts'
import type { DetailPart, DueItem } from '#server/features/domains/mirror/index.ts'
import { syncRulesets } from '#server/features/domains/rulesets/reading/index.ts'
import { AppError } from '#shared/errors/app-error.ts'
import { readDetail } from './read-detail.ts'
import type { SyncRun } from './sync-run.ts'
import { clearRefusal, postponeRules, requestCheck, reserveRules, updateDetailsDue, updateRefused } from './sync.repo.ts'

const fetched = 400
const refillAt = 100
/** After this many refusals in a row the credential lacks the permission, rather than a single zone being special. */
const refusalsInARow = 10
const partPutOffSeconds = 6 * 3600
/** After this many failures in a row the provider counts as unavailable. */
const failuresInARow = 20
const pauseSeconds = 60

/** Readings of rules use at most this share of the budget: a run makes that many calls of one window, and the next waits accordingly. */
const rulesShare = 0.05
/** Those of a zone whose rules have not changed. */
const usualRulesCalls = 2
/** When rules are tried again after an error that passes. */
const rulesRetrySeconds = 300

function createRulesAllowance({ services: { db, callBudget }, account }: SyncRun) {
  const most = Math.max(usualRulesCalls, Math.floor(callBudget.limit * rulesShare))
  const secondsOf = (count: number) => (count * callBudget.windowMs) / 1_000 / (callBudget.limit * rulesShare)
  let calls = 0
  let isEnded = !account.mayReadRules
  let reservation: Promise<Date | null> | null = null
  return {
    get isLeft() {
      return !isEnded && calls + usualRulesCalls <= most
    },
    /** Whether a reading may begin; the first one reserves the share, which only one run at a time gets. */
    async begin(): Promise<boolean> {
      calls += usualRulesCalls
      reservation ??= reserveRules(db, account, secondsOf(most))
      if ((await reservation) === null) isEnded = true
      return !isEnded
    },
    use: (count: number) => (calls += count),
    end() {
      isEnded = true
    },
    /** Makes the next run wait as long as the calls made are to last. */
    async settle(): Promise<void> {
      // A failed reservation has ended the run already.
      const reservedUntil = await reservation?.catch(() => null)
      if (reservedUntil !== undefined && reservedUntil !== null) await postponeRules(db, account, reservedUntil, secondsOf(calls))
    },
  }
}
type RulesAllowance = ReturnType<typeof createRulesAllowance>

const keyOf = (item: DueItem) => `${item.part} ${item.id}`

/** The queue of details to read, in order. Details being read, or not yet written, are not returned again. */
function createQueue({ services, account, onWanted, signal }: SyncRun, rules: RulesAllowance) {
  let items: DueItem[] = []
  const taken = new Set<string>()
  /** A fetch in progress may still see these as due. */
  const doneMeanwhile = new Set<string>()
  let exhausted = false
  let refilling: Promise<void> | null = null
  let orderChanged = false

  async function fetchMore(): Promise<void> {
    orderChanged = false
    doneMeanwhile.clear()
    const limit = fetched + taken.size
    const due = await listDueDetails(services.db, account.id, limit, rules.isLeft)
    exhausted = due.length < limit
    items = due.filter((item) => !taken.has(keyOf(item)) && !doneMeanwhile.has(keyOf(item)))
  }
  const refill = () => (refilling ??= fetchMore().finally(() => (refilling = null)))
  onWanted(() => {
    orderChanged = true
    exhausted = false
  })
  return {
    /** Null when nothing is left. */
    async next(): Promise<DueItem | null> {
      signal.throwIfAborted()
      if (orderChanged || (items.length <= refillAt && !exhausted)) {
        const more = refill()
        if (items.length === 0 || orderChanged) await more
        else more.catch(() => undefined)
      }
      // Those fetched before the allowance was used up; they are the last ones.
      if (!rules.isLeft) items = items.filter(({ part }) => part !== 'rules')
      const item = items.shift()
      if (item === undefined) return null
      taken.add(keyOf(item))
      if (item.part === 'rules' && !(await rules.begin())) {
        taken.delete(keyOf(item))
        return this.next()
      }
      return item
    },
    done(item: DueItem) {
      taken.delete(keyOf(item))
      if (refilling !== null) doneMeanwhile.add(keyOf(item))
    },
    /** Removes the details of a postponed part. */
    drop(part: DetailPart) {
      items = items.filter((item) => item.part !== part)
    },
  }
}

/** Postpones one part for a whole account because its credential may not read it. */
const refusePart = (db: Database, accountId: string, part: DetailPart): Promise<void> =>
  db.orm.transaction(async (tx) => {
    await postponePart(tx, accountId, part, partPutOffSeconds)
    await updateRefused(tx, accountId, part)
  })

/** Reads records and settings of the account's zones that were never read or have changed, and rules, until none is due. */
export async function readDetails(run: SyncRun): Promise<void> {
  const { services, account, publisher, writer, options, signal } = run
  const rules = createRulesAllowance(run)
  const queue = createQueue(run, rules)
  const callsEnd = AbortSignal.any([signal, run.hurry])
  const refusals: Record<DetailPart, number> = { records: 0, settings: 0 }
  let failures = 0
  let refused = account.detailsRefused
  let paused = false
  let ended = false
  const writes = new Set<Promise<void>>()

  async function afterFailure(item: DueItem, error: unknown): Promise<void> {
    if (!(error instanceof AppError) || !error.code.startsWith('provider_')) throw error
    services.log.debug({ accountId: account.id, zone: item.id, part: item.part, code: error.code }, 'failed to read zone details')
    const isRefused = error.code === 'provider_auth' || error.code === 'provider_forbidden'
    const isPassing = !isRefused && error.code !== 'provider_not_found' && error.code !== 'provider_rejected'
    if (isPassing) {
      failures += 1
      if (failures >= failuresInARow) paused = true
    }
    if (item.part === 'rules') {
      // The key may be revoked, and would be refused for every zone.
      if (error.code === 'provider_auth' && rules.isLeft) {
        rules.end()
        await requestCheck(services.db.orm, account.id)
      }
      await updateRulesDue(services.db.orm, item.id, isPassing ? rulesRetrySeconds : undefined)
      return
    }
    if (isRefused) {
      refusals[item.part] += 1
      if (refusals[item.part] === refusalsInARow) {
        queue.drop(item.part)
        await refusePart(services.db, account.id, item.part)
        refused = item.part
        // A missing permission has the same code as a revoked key, so a check is requested.
        if (error.code === 'provider_auth' || error.provider?.code === '10000') await requestCheck(services.db.orm, account.id)
      }
    }
    await postponeDetail(services.db, item)
  }

  async function readRules(item: DueItem): Promise<void> {
    const zone = {
      id: item.id,
      providerZoneId: item.providerZoneId,
      ownerId: account.ownerId,
      accountId: account.id,
      connection: run.connection,
    }
    rules.use((await syncRulesets(services, zone, { priority: 'sync', signal: callsEnd })) - usualRulesCalls)
    failures = 0
    queue.done(item)
  }

  async function reader(): Promise<void> {
    while (!paused && !run.yielding()) {
      const item = await queue.next()
      if (item === null) {
        ended = true
        return
      }
      try {
        if (item.part === 'rules') {
          await readRules(item)
          continue
        }
        const read = await readDetail(run.connection, item, { priority: 'sync', signal: callsEnd })
        refusals[item.part] = 0
        if (refused === item.part) {
          refused = null
          await clearRefusal(services.db, account.id)
        }
        failures = 0
        const { room, written } = writer.add(read)
        const write = written.then(() => {
          writes.delete(write)
          queue.done(item)
          publisher.publish('domains', account)
          publisher.publish('accounts', account)
        })
        writes.add(write)
        await room
      } catch (error) {
        if (signal.aborted) throw error
        if (run.hurry.aborted) return
        await afterFailure(item, error)
        queue.done(item)
      }
    }
  }

  const guarded = () =>
    reader().catch((error: unknown) => {
      paused = true
      throw error
    })
  try {
    const ends = await Promise.allSettled(Array.from({ length: options.callsPerAccount }, guarded))
    for (const end of ends) if (end.status === 'rejected') throw end.reason
    // A reading counts only once it is written.
    await Promise.all(writes)
    // An account may have too few zones for that many refusals; if the part was never read at all, the credential is the reason too.
    for (const part of ['records', 'settings'] as const) {
      if (!ended || refusals[part] === 0 || refusals[part] >= refusalsInARow || (await hasRead(services.db, account.id, part))) continue
      await refusePart(services.db, account.id, part)
    }
  } finally {
    await Promise.all(writes)
    await rules.settle()
    await updateDetailsDue(services.db, account.id, paused && !signal.aborted ? pauseSeconds : 0)
    publisher.publish('accounts', account)
  }
}
