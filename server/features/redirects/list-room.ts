import { isDeepStrictEqual } from 'node:util'
import { openAccount } from '#server/features/sync/index.ts'
import type { OpenAccount } from '#server/features/sync/index.ts'
import type { Ctx } from '#server/platform/context.ts'
import { createSemaphore } from '#server/platform/semaphore.ts'
import { AppError } from '#shared/errors/app-error.ts'
import { checkRedirect } from '#shared/features/redirects/schema.ts'
import { redirectLimit, storedList } from './list-redirects.ts'
import { countMatching, findList, listHostSources } from './redirects.repo.ts'

/** Accounts of different Cloudflare users have limits of their own. */
const concurrentAccounts = 32

/** What the refusal depends on. */
type Credential = Pick<OpenAccount, 'credentialHash' | 'checkRunId' | 'providerAccountIds'>
const credentialOf = ({ credentialHash, checkRunId, providerAccountIds }: OpenAccount): Credential => ({
  credentialHash,
  checkRunId,
  providerAccountIds,
})

interface Refusal {
  readonly credential: Credential
  readonly error: AppError
  readonly untilMs: number
}

/** Only the key or its permissions change these refusals, so that previews need not ask again immediately. */
const lasting: ReadonlySet<string> = new Set(['provider_forbidden', 'redirect_account_unclear'])
const refusalMs = 5 * 60_000
const mostRefusals = 10_000
/** By account, the oldest first. */
const refusals = new Map<string, Refusal>()

function remember(ctx: Ctx, account: OpenAccount, error: AppError): void {
  if (!lasting.has(error.code)) return
  refusals.delete(account.id)
  refusals.set(account.id, { credential: credentialOf(account), error, untilMs: ctx.clock.now() + refusalMs })
  const [oldest] = refusals.keys()
  if (refusals.size > mostRefusals && oldest !== undefined) refusals.delete(oldest)
}

/** @throws AppError as in the last minutes, unless the key was entered again or the list was read since */
async function readUnread(ctx: Ctx, account: OpenAccount): Promise<void> {
  const known = refusals.get(account.id)
  const isValid = known !== undefined && isDeepStrictEqual(known.credential, credentialOf(account)) && known.untilMs > ctx.clock.now()
  if (isValid && (await findList(ctx.db.orm, account.id)) === null) throw known.error
  refusals.delete(account.id)
  try {
    await storedList(ctx, account)
  } catch (error) {
    if (error instanceof AppError) remember(ctx, account, error)
    throw error
  }
}

/**
 * Reads the lists of these accounts that were never read, several accounts concurrently within their rate limits.
 * @returns why the list of an account cannot be read
 */
export async function readUnreadLists(ctx: Ctx, accountIds: readonly string[]): Promise<Map<string, AppError>> {
  const semaphore = createSemaphore(concurrentAccounts)
  const failures = new Map<string, AppError>()
  const read = async (id: string): Promise<void> => {
    try {
      await readUnread(ctx, await openAccount(ctx, id))
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      failures.set(id, error)
    }
  }
  await Promise.all(accountIds.map((id) => semaphore(() => read(id))))
  return failures
}

/** Sources that were added outside the panel may be written in other ways. */
const normalized = (source: string): string =>
  checkRedirect({ source, target: '', subpathMatching: false, preserveQueryString: false }).source

/**
 * How many redirects may still be added to the list of an account, and which of these normalized sources of whole hosts it has already.
 * @throws AppError not_found, level_too_low, provider_*, redirect_account_unclear
 */
export async function findRoom(
  ctx: Ctx,
  accountId: string,
  sources: readonly string[],
): Promise<{ readonly room: number; readonly used: number; readonly limit: number; readonly known: ReadonlySet<string> }> {
  const { othersCount } = await storedList(ctx, await openAccount(ctx, accountId))
  const [count, limit, found] = await Promise.all([
    countMatching(ctx.db.orm, accountId),
    redirectLimit(ctx, accountId),
    listHostSources(
      ctx.db.orm,
      accountId,
      sources.map((source) => source.replace(/\/$/, '')),
    ),
  ])
  const wanted = new Set(sources)
  const known = new Set(found.map(normalized).filter((source) => wanted.has(source)))
  const used = count + othersCount
  return { room: Math.max(0, limit - used), used, limit, known }
}
