import { openAccount } from '#server/features/sync/index.ts'
import type { Ctx } from '#server/platform/context.ts'
import { createSemaphore } from '#server/platform/semaphore.ts'
import { AppError } from '#shared/errors/app-error.ts'
import { checkRedirect } from '#shared/features/redirects/schema.ts'
import { redirectLimit, storedList } from './list-redirects.ts'
import { countMatching, listHostSources } from './redirects.repo.ts'

/** Accounts of different Cloudflare users have limits of their own. */
const concurrentAccounts = 32

/**
 * Reads the lists of these accounts that were never read, several accounts concurrently within their rate limits.
 * @returns why the list of an account cannot be read
 */
export async function readUnreadLists(ctx: Ctx, accountIds: readonly string[]): Promise<Map<string, AppError>> {
  const semaphore = createSemaphore(concurrentAccounts)
  const failures = new Map<string, AppError>()
  const read = async (id: string): Promise<void> => {
    try {
      await storedList(ctx, await openAccount(ctx, id))
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
    listHostSources(ctx.db.orm, accountId),
  ])
  const wanted = new Set(sources)
  const known = new Set(found.map((source) => (wanted.has(source) ? source : normalized(source))).filter((source) => wanted.has(source)))
  const used = count + othersCount
  return { room: Math.max(0, limit - used), used, limit, known }
}
