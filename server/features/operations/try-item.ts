import { databaseFault } from '#server/platform/database-away.ts'
import type { Ctx, Services } from '#server/platform/context.ts'
import type { Lease } from '#server/platform/leased-queue.ts'
import { traced } from '#server/platform/tracing.ts'
import { refreshPart } from '#server/features/sync/index.ts'
import { openZone } from '#server/features/domains/index.ts'
import { rulesetChange } from '#server/features/domains/rulesets/index.ts'
import type { RulesetChange } from '#server/features/domains/rulesets/index.ts'
import { behindFence, readOnly, WriteRefused } from '#server/platform/write-fence.ts'
import { AppError } from '#shared/errors/app-error.ts'
import { decideRetry, decideSpuriousRetry, waitsForDns } from './failure.policy.ts'
import type { OperationKind, RunItem } from './operation-kind.ts'
import { failAccount, listRunning, moveAccount } from './run-items.repo.ts'
import type { ClaimedItem } from './claim-items.repo.ts'
import type { RunningOperation, Written } from './run-items.repo.ts'
import { plannedItem } from './planned.ts'
import type { PlannedItem } from './planned.ts'
import type { Database } from '#server/db/client.ts'
import { isPlanned } from './is-planned.policy.ts'
import { adoptChanges, listOutsideChanges } from './own-changes.repo.ts'

type Why = Pick<Written, 'code' | 'provider_code' | 'message'>

/** State shared by the items of one concurrency key. */
export interface Shared {
  /** Why accounts were stopped, by operation and account, so that items already claimed are not sent. */
  readonly stopped: Map<string, Why>
  readonly connections: NonNullable<Services['connections']>
}

type PlannedTry = Omit<ClaimedItem, 'plan'> & { readonly plan: PlannedItem }

type Became = Omit<Written, 'operation_id' | 'position'>

export interface ItemTrier {
  /** Loads the operations of claimed items; call before they are tried. */
  learnOf(items: readonly ClaimedItem[]): Promise<void>
  /** Discards cached operations after a change: they are read again before the next item. */
  expire(): void
  tryItem(item: ClaimedItem, holder: Lease, shared: Shared): Promise<Became>
}

const untouched = { result: null, code: null, provider_code: null, message: null, wait_seconds: null }
/** Somebody has to free disk space first. */
const fullSeconds = 30
const rereadAfterMs = 5_000
const forgottenAfterMs = 24 * 3_600_000

const toRunItem = (item: PlannedTry): RunItem => ({
  operationId: item.operationId,
  position: item.position,
  domainId: item.domainId,
  accountId: item.accountId,
  name: item.name,
  plan: item.plan,
  attempt: item.attempts,
  startedAt: new Date(item.startedAt),
  worker: item.worker,
})

/**
 * Updates the mirror with the effect of an earlier attempt, which is needed to determine what is left to do. A deleted zone has nothing to
 * read.
 */
async function readZone(ctx: Ctx, { domainId }: ClaimedItem): Promise<void> {
  if (domainId === null) return
  try {
    const zone = await openZone(ctx, domainId)
    for (const part of ['records', 'settings'] as const) await refreshPart(ctx, zone, part, { priority: 'bulk' })
  } catch (error) {
    if (!(error instanceof AppError) || !['not_found', 'provider_not_found'].includes(error.code)) throw error
  }
}

/** Whether a credential was refused although the provider accepts it, in which case the account's other items are not affected. */
async function isSpurious(ctx: Ctx, { domainId }: ClaimedItem, { code }: AppError): Promise<boolean> {
  if (code !== 'provider_auth' || domainId === null) return false
  try {
    await (await openZone(ctx, domainId)).connection.identify({ priority: 'bulk' })
    return true
  } catch (error) {
    return !(error instanceof AppError && ['provider_auth', 'provider_forbidden', 'not_found'].includes(error.code))
  }
}

/** Cache of the operations of claimed items, read again after a change or after a while. */
function createKnownOperations(db: Database) {
  const known = new Map<string, { readonly operation: RunningOperation; readonly readAt: number }>()
  let happened = 0
  const expire = (operation: RunningOperation) => void known.set(operation.id, { operation, readAt: -Infinity })
  return {
    async learnOf(items: readonly ClaimedItem[]): Promise<void> {
      const now = performance.now()
      const ids = [...new Set(items.map((item) => item.operationId))]
      const stale = ids.filter((id) => now - (known.get(id)?.readAt ?? -Infinity) > rereadAfterMs)
      const before = happened
      // A change during the read may be missing from it.
      if (stale.length > 0)
        for (const operation of await listRunning(db, stale))
          known.set(operation.id, { operation, readAt: happened === before ? now : -Infinity })
      if (known.size > 500) for (const [id, { readAt }] of known) if (now - readAt > forgottenAfterMs) known.delete(id)
    },
    find: (id: string) => known.get(id)?.operation,
    expire,
    expireAll(): void {
      happened += 1
      for (const { operation } of known.values()) expire(operation)
    },
  }
}

const contextOf = (services: Services, operation: RunningOperation, connections: Shared['connections']): Ctx => ({
  ...services,
  connections,
  actor: {
    kind: 'user',
    userId: operation.actorId ?? operation.ownerId,
    name: operation.actorName,
    role: operation.role ?? 'user',
    sessionId: '',
    verifiedAt: null,
    via: { kind: 'operation', id: operation.id },
  },
  requestId: operation.id,
  log: services.log.child({ operationId: operation.id }),
  address: null,
  userAgent: null,
  origin: null,
})

interface Tools {
  readonly services: Services
  readonly kinds: Readonly<Record<string, OperationKind>>
}

interface Trial {
  readonly item: PlannedTry
  /** Undefined if it no longer exists. */
  readonly operation: RunningOperation | undefined
  readonly lease: Lease
  readonly shared: Shared
}

const isResting = ({ state, disabledAt }: RunningOperation): boolean => ['paused', 'cancelled'].includes(state) || disabledAt !== null
const placeOf = ({ operationId, accountId }: PlannedTry): string => `${operationId} ${accountId}`

/** The outcome of an item that must not be tried now; null if it may be. */
function withoutTrying({ item, operation, shared }: Trial): Became | null {
  const refused = shared.stopped.get(placeOf(item))
  if (refused !== undefined) return { ...untouched, ...refused, state: 'failed' }
  if (operation?.state === 'cancelled') return item.attempts === 1 ? { ...untouched, state: 'cancelled' } : null
  // Its actor was disabled, which also paused it: the item waits until the operation is resumed.
  return operation !== undefined && isResting(operation) ? { ...untouched, state: 'pending' } : null
}

/**
 * Moves a refused item to another account if its kind offers one.
 * @returns whether it did
 */
async function moveElsewhere({ services, kinds }: Tools, { item, operation, shared }: Trial, error: AppError): Promise<boolean> {
  if (operation === undefined) return false
  const { db, log } = services
  try {
    const ctx = contextOf(services, operation, shared.connections)
    const next = (await kinds[operation.kind]?.elsewhere?.(ctx, toRunItem(item), operation.input, error)) ?? null
    if (next !== null) await moveAccount(db, item, next, error.code)
    return next !== null
  } catch (reason) {
    log.warn({ err: reason, operationId: item.operationId, position: item.position }, 'failed to find another account for an item')
    return false
  }
}

/** The outcome of an item whose attempt ended with an error of the provider or the panel. */
async function afterFailure(tools: Tools, trial: Trial, error: AppError): Promise<Became> {
  const { item, operation, shared } = trial
  const { db, log } = tools.services
  const isCancelled = operation?.state === 'cancelled'
  const why: Why = { code: error.code, provider_code: error.provider?.code ?? null, message: error.provider?.message ?? null }
  if (!isCancelled && (await moveElsewhere(tools, trial, error))) return { ...untouched, state: 'pending' }
  const firstDecision = decideRetry(error, item.attempts, item.plan.at?.kind)
  const spurious =
    firstDecision.next === 'stop_account' &&
    operation !== undefined &&
    (await isSpurious(contextOf(tools.services, operation, shared.connections), item, error))
  const decision = spurious ? decideSpuriousRetry(item.attempts) : firstDecision
  if (decision.next === 'wait' && !(isCancelled && waitsForDns(error)))
    return { ...untouched, ...why, state: 'waiting', wait_seconds: decision.seconds }
  if (isCancelled) return { ...untouched, ...why, state: 'cancelled' }
  if (decision.next === 'stop_account') {
    shared.stopped.set(placeOf(item), why)
    await failAccount(db, item, why).catch((reason: unknown) =>
      log.warn({ err: reason, operationId: item.operationId, position: item.position }, 'failed to stop an account'),
    )
  }
  return { ...untouched, ...why, state: 'failed' }
}

async function attempt(tools: Tools, trial: Trial): Promise<Became> {
  const left = withoutTrying(trial)
  if (left !== null) return left
  const { item, operation, shared } = trial
  const { signal, fence } = trial.lease
  const { log } = tools.services
  // A cancelled item that was already tried is only checked.
  const isCancelled = operation?.state === 'cancelled'
  try {
    const kind = operation === undefined ? undefined : tools.kinds[operation.kind]
    if (operation === undefined || kind === undefined) throw new AppError('not_found')
    const ctx = contextOf(tools.services, operation, shared.connections)
    const outcome = await behindFence(isCancelled ? readOnly(fence) : fence, async () => {
      try {
        if (isCancelled) await readZone(ctx, item)
        return await kind.run(ctx, toRunItem(item), operation.input, signal)
      } finally {
        if (item.attempts > 1) await ownChanges(ctx, kind, item, operation)
      }
    })
    return outcome.state === 'done'
      ? { ...untouched, state: 'done', result: outcome.result ?? null, code: outcome.code ?? null }
      : { ...untouched, state: 'skipped', code: outcome.code }
  } catch (error) {
    // The next attempt first checks whether this one took effect.
    if (signal.aborted) return { ...untouched, state: 'pending' }
    const fault = error instanceof AppError ? null : databaseFault(error)
    if (fault === 'database_full') return { ...untouched, state: 'waiting', code: fault, wait_seconds: fullSeconds }
    if (fault !== null) return { ...untouched, state: 'pending' }
    if (error instanceof WriteRefused) return { ...untouched, state: 'cancelled' }
    if (error instanceof AppError) return afterFailure(tools, trial, error)
    log.error({ err: error, operationId: item.operationId, position: item.position }, 'operation item failed')
    return afterFailure(tools, trial, new AppError('internal', { cause: error }))
  }
}

/** Tries claimed items and returns their outcomes. */
export function createItemTrier(services: Services, kinds: Readonly<Record<string, OperationKind>>): ItemTrier {
  const known = createKnownOperations(services.db)
  return {
    learnOf: known.learnOf,
    expire: known.expireAll,
    tryItem(item, lease, shared) {
      const operation = known.find(item.operationId)
      const attributes = {
        'zonedeck.operation.id': item.operationId,
        'zonedeck.operation.position': item.position,
        'zonedeck.operation.attempt': item.attempts,
      }
      const plan = plannedItem.safeParse(item.plan)
      if (!plan.success) {
        services.log.error({ err: plan.error, operationId: item.operationId, position: item.position }, 'failed to read a plan')
        return Promise.resolve({ ...untouched, state: 'failed', code: 'internal' })
      }
      return traced(`operation ${operation?.kind ?? 'unknown'}`, { kind: 'consumer', attributes }, async (span) => {
        // A paused operation is read again before its next item.
        if (operation !== undefined && isResting(operation)) known.expire(operation)
        const became = await attempt({ services, kinds }, { item: { ...item, plan: plan.data }, operation, lease, shared })
        span?.note({ 'zonedeck.operation.state': became.state })
        if (became.state === 'failed') span?.fail(became.code ?? 'unknown')
        return became
      })
    },
  }
}

/** Which of these the item made is unknown if what it was to write, such as its profile, no longer exists. */
async function findOwnOfRules<Change extends RulesetChange>(ctx: Ctx, kind: OperationKind, item: PlannedTry, changes: readonly Change[]) {
  try {
    const own: readonly RulesetChange[] = (await kind.findOwnRuleChanges?.(ctx, toRunItem(item), changes)) ?? []
    return changes.filter((change) => own.includes(change))
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return []
  }
}

/**
 * The effect of an attempt whose worker died before storing the result looks like an outside change to the next reader. If it matches the
 * plan of the item, it is recorded as the operation's change.
 */
async function ownChanges(ctx: Ctx, kind: OperationKind, item: PlannedTry, operation: RunningOperation): Promise<void> {
  if (item.domainId === null) return
  const changes = await listOutsideChanges(ctx.db, item)
  const ofRules = changes.flatMap((change) => {
    const read = rulesetChange.safeParse(change)
    return read.success ? [{ ...read.data, id: change.id }] : []
  })
  const ownOfRules = ofRules.length === 0 ? [] : await findOwnOfRules(ctx, kind, item, ofRules)
  const own = [...changes.filter((change) => isPlanned(item.plan, change, item.name)), ...ownOfRules].map(({ id }) => id)
  if (own.length > 0) await adoptChanges(ctx.db, own, operation)
}
