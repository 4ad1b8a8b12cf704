import { domainToASCII } from 'node:url'
import type { z } from 'zod'
import type { Ctx } from '#server/platform/context.ts'
import { AppError } from '#shared/errors/app-error.ts'
import { planTier, planTiers } from '#shared/features/domains/rulesets/phases.ts'
import { writeRedirects } from '#shared/features/redirects/csv.ts'
import { isSameRedirect, redirectLimits } from '#shared/features/redirects/schema.ts'
import type {
  exportRedirectsOutput,
  listRedirectsInput,
  listRedirectsOutput,
  Redirect,
  RedirectList,
} from '#shared/features/redirects/schema.ts'
import { openAccount } from '#server/features/sync/index.ts'
import { serializeRedirects } from './serialize-redirects.ts'
import type { OpenAccount } from '#server/features/sync/index.ts'
import { readRedirects } from './read-redirects.ts'
import { countMatching, findList, listAll, listOnHosts, listPage, listZones } from './redirects.repo.ts'
import type { ListRow } from './redirects.repo.ts'

const person = { priority: 'person' } as const

/** The stored list; the first time it is read from the provider. */
export const storedList = async (ctx: Ctx, account: OpenAccount): Promise<ListRow> =>
  (await findList(ctx.db.orm, account.id)) ?? serializeRedirects(account.id, () => readRedirects(ctx, account, person))

/** The text, and what it is in a stored address: hosts are in Punycode, other characters of a path are encoded. */
function searchesOf(search: string): string[] {
  if (search === '') return []
  const parts = search.toWellFormed().split('/')
  const hostAt = search.includes('://') ? 2 : 0
  const asAddress = parts.map((part, at) => (at === hostAt ? domainToASCII(part) || part : encodeURI(part))).join('/')
  return [...new Set([search, asAddress, encodeURI(search.toWellFormed())])]
}

/** That of the best plan in the account. */
export async function redirectLimit(ctx: Ctx, accountId: string): Promise<number> {
  const tiers = new Set((await listZones(ctx.db.orm, accountId)).map(({ plan }) => planTier(plan)))
  return redirectLimits[planTiers.findLast((tier) => tiers.has(tier)) ?? 'free']
}

/**
 * Those of these hosts that a stored redirect of the account is on.
 * @param findRemoved which redirects with these sources do not count, as long as they are stored as returned
 */
export async function listRedirectedHosts(
  { db }: Pick<Ctx, 'db'>,
  accountId: string,
  hosts: readonly string[],
  findRemoved: (sources: readonly string[]) => Promise<readonly Redirect[]>,
): Promise<Set<string>> {
  const stored = await listOnHosts(db.orm, accountId, hosts)
  if (stored.length === 0) return new Set()
  const removed = new Map((await findRemoved(stored.map(({ source }) => source))).map((redirect) => [redirect.source, redirect]))
  const isRemoved = (redirect: Redirect): boolean => {
    const planned = removed.get(redirect.source)
    return planned !== undefined && isSameRedirect(redirect, planned)
  }
  return new Set(stored.flatMap((redirect) => (isRemoved(redirect) ? [] : [redirect.host])))
}

async function toList(ctx: Ctx, { accountId, rule, othersCount, readAt }: ListRow): Promise<RedirectList> {
  const [count, limit] = await Promise.all([countMatching(ctx.db.orm, accountId), redirectLimit(ctx, accountId)])
  return { count, limit, othersCount, rule, readAt: readAt.toISOString() }
}

/**
 * The redirects of an account as of the last reading, by source; the first time they are read from the provider.
 * @throws AppError not_found, provider_*, redirect_account_unclear
 */
export async function listRedirects(
  ctx: Ctx,
  { id, search = '', cursor, limit }: z.output<typeof listRedirectsInput>,
): Promise<z.output<typeof listRedirectsOutput>> {
  const account = await openAccount(ctx, id, 'view')
  const list = await toList(ctx, await storedList(ctx, account))
  const searches = searchesOf(search)
  const after = cursor === undefined ? null : parseCursor(cursor)
  const [rows, matches] = await Promise.all([
    listPage(ctx.db.orm, id, { searches, after, limit: limit + 1 }),
    searches.length === 0 ? list.count : countMatching(ctx.db.orm, id, searches),
  ])
  const page = rows.slice(0, limit)
  const last = page.at(-1)
  return {
    list,
    matches,
    redirects: page.map(({ key: _key, ...redirect }) => redirect),
    nextCursor: rows.length > limit && last !== undefined ? `${last.key}${sortedPart(last.source)}` : null,
  }
}

const keyLength = 32
/** Sources are sorted by their first 200 characters; one outside the basic plane counts as one, as in PostgreSQL. */
const sortedPart = (source: string): string => Array.from(source.slice(0, 400)).slice(0, 200).join('')
/** The key of a row and the part of its source that rows are sorted by. */
function parseCursor(cursor: string) {
  if (!/^[0-9a-f]{32}/.test(cursor)) throw new AppError('validation_failed', { issues: [{ path: 'cursor', message: 'invalid_value' }] })
  return { key: cursor.slice(0, keyLength), source: cursor.slice(keyLength) }
}

/**
 * The current redirects at the provider.
 * @throws AppError not_found, level_too_low, provider_*, redirect_account_unclear
 */
export async function refreshRedirects(ctx: Ctx, id: string): Promise<{ list: RedirectList }> {
  const account = await openAccount(ctx, id)
  return { list: await toList(ctx, await serializeRedirects(id, () => readRedirects(ctx, account, person))) }
}

/**
 * All stored redirects as a CSV file that can be imported again.
 * @throws AppError not_found, provider_*, redirect_account_unclear
 */
export async function exportRedirects(ctx: Ctx, id: string): Promise<z.output<typeof exportRedirectsOutput>> {
  const account = await openAccount(ctx, id, 'view')
  await storedList(ctx, account)
  return { name: `redirects ${account.email}.csv`, csv: writeRedirects(await listAll(ctx.db.orm, id)) }
}
