import { audit } from '#server/platform/audit.ts'
import type { Ctx } from '#server/platform/context.ts'
import { requireClaim } from '#server/platform/write-fence.ts'
import type { CallOptions } from '#server/ports/dns-host.ts'
import { AppError } from '#shared/errors/app-error.ts'
import { ownListName } from '#shared/features/redirects/own-list.ts'
import { isSameRedirect } from '#shared/features/redirects/schema.ts'
import type { Redirect } from '#shared/features/redirects/schema.ts'
import { openAccount } from '#server/features/sync/index.ts'
import { serializeRedirects } from './serialize-redirects.ts'
import type { OpenAccount } from '#server/features/sync/index.ts'
import { readRedirects, ruleOf } from './read-redirects.ts'
import { countMatching, deleteRedirects, findList, listBySource, putRedirects, updateList } from './redirects.repo.ts'
import type { ListRow } from './redirects.repo.ts'

export interface RedirectChanges {
  readonly puts: readonly { readonly before: Redirect | null; readonly after: Redirect }[]
  readonly deletes: readonly Redirect[]
}

interface AppliedRedirects {
  readonly done: number
  /** Changed at Cloudflare since the plan, and therefore not sent. */
  readonly heldBack: number
}

/** What an attempt needs beyond the changes. */
export interface RedirectAttempt {
  /** An earlier attempt may have taken effect. */
  readonly isRepeated: boolean
  /** When the operation began: what was read before is read again. */
  readonly since: Date
  /** Sources that the attempts before did not send; null before the first one. */
  readonly unsent: readonly string[] | null
  /** Called before something is sent, with the sources that no attempt has sent. */
  readonly onSend: (unsent: readonly string[]) => Promise<void>
}

/** Within this time the redirects that an operation has read are taken for the current ones. */
const freshMs = 5 * 60_000
const pollMs = 500
/** Cloudflare takes seconds; afterwards the change is tried again, which first reads whether this one took effect. */
const longestMs = 120_000

/**
 * Applies a batch of changes of one account, after every earlier one has ended at Cloudflare: first deletions, then the rest, then the rule
 * that makes the list effective. Safe to repeat: what is done already is not sent again, and what somebody else changed since the plan is
 * held back.
 * @throws AppError not_found, access_ended, provider_*, redirect_account_unclear
 */
export async function applyRedirects(
  ctx: Ctx,
  accountId: string,
  changes: RedirectChanges,
  { isRepeated, since, unsent, onSend, ...call }: CallOptions & RedirectAttempt,
): Promise<AppliedRedirects> {
  const account = await openAccount(ctx, accountId)
  return serializeRedirects(accountId, async () => {
    const stored = await findList(ctx.db.orm, accountId)
    const freshSince = Math.max(since.getTime(), ctx.clock.now() - freshMs)
    const isFresh = stored !== null && !isRepeated && stored.readAt.getTime() >= freshSince
    let list = isFresh ? stored : await readRedirects(ctx, account, call)
    let open = await openChanges(ctx, accountId, changes)
    if (open.deletes.some(({ itemId }) => itemId === null)) {
      list = await readRedirects(ctx, account, call)
      open = await openChanges(ctx, accountId, changes)
    }
    const { puts, deletes } = open
    const now = new Set([...puts, ...deletes].map(({ source }) => source))
    await onSend((unsent ?? sourcesOf(changes)).filter((source) => !now.has(source)))
    try {
      await send(ctx, account, list, open, call)
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'provider_not_found') throw error
      // The list or a redirect to be deleted is gone since it was read.
      list = await readRedirects(ctx, account, call)
      open = await openChanges(ctx, accountId, changes)
      await send(ctx, account, list, open, call)
    }
    if (list.rule === 'absent' && (await countMatching(ctx.db.orm, accountId)) > 0) await enableList(ctx, account, call)
    return { done: open.puts.length + open.deletes.length + open.made, heldBack: open.heldBack }
  })
}

const sourcesOf = ({ puts, deletes }: RedirectChanges): string[] => [
  ...puts.map(({ after }) => after.source),
  ...deletes.map(({ source }) => source),
]

/** Of the changes, those that are still to be made. */
async function openChanges(ctx: Ctx, accountId: string, changes: RedirectChanges) {
  const now = new Map((await listBySource(ctx.db.orm, accountId, sourcesOf(changes))).map((redirect) => [redirect.source, redirect]))
  const open = { puts: [] as Redirect[], deletes: [] as { source: string; itemId: string | null }[], made: 0, heldBack: 0 }
  for (const { before, after } of changes.puts) {
    const found = now.get(after.source) ?? null
    if (found !== null && isSameRedirect(found, after)) open.made += 1
    else if (found === null ? before === null : before !== null && isSameRedirect(found, before)) open.puts.push(after)
    else open.heldBack += 1
  }
  for (const planned of changes.deletes) {
    const found = now.get(planned.source)
    if (found === undefined) open.made += 1
    else if (isSameRedirect(found, planned)) open.deletes.push({ source: found.source, itemId: found.itemId })
    else open.heldBack += 1
  }
  return open
}

async function send(
  ctx: Ctx,
  account: OpenAccount,
  list: ListRow,
  { puts, deletes }: Awaited<ReturnType<typeof openChanges>>,
  call: CallOptions,
): Promise<void> {
  const { connection, id } = account
  const at = await account.providerAccountId(call)
  if (deletes.length > 0 && list.listId !== null) {
    const ids = deletes.flatMap(({ itemId }) => itemId ?? [])
    await finish(ctx, account, at, await connection.deleteRedirects(at, list.listId, ids, call), call)
    const sources = deletes.map(({ source }) => source)
    await keep(ctx, account, { deleted: sources.length }, (tx) => deleteRedirects(tx, id, sources))
  }
  if (puts.length === 0) return
  const listId = list.listId ?? (await createList(ctx, account, at, call))
  await finish(ctx, account, at, await connection.putRedirects(at, listId, puts, call), call)
  await keep(ctx, account, { updated: puts.length }, (tx) => putRedirects(tx, id, puts))
}

async function createList(ctx: Ctx, { connection, id }: OpenAccount, at: string, call: CallOptions): Promise<string> {
  // A batch before this one may have created it.
  const known = (await findList(ctx.db.orm, id))?.listId ?? null
  if (known !== null) return known
  const made = await connection.createRedirectList(at, { name: ownListName, description: 'Redirects of Zonedeck' }, call)
  await updateList(ctx.db.orm, id, { listId: made.id })
  return made.id
}

/** Adds the rule that makes the list effective, after those of others. A rule that somebody switched off stays off. */
async function enableList(ctx: Ctx, { connection, id, providerAccountId }: OpenAccount, call: CallOptions): Promise<void> {
  const at = await providerAccountId(call)
  const rules = await connection.getRedirectRules(at, call)
  if (ruleOf(rules) !== 'absent') return updateList(ctx.db.orm, id, { rule: ruleOf(rules) })
  const rule = {
    ref: ownListName,
    description: 'Redirects of Zonedeck',
    enabled: true,
    action: 'redirect',
    expression: `http.request.full_uri in $${ownListName}`,
    action_parameters: { from_list: { name: ownListName, key: 'http.request.full_uri' } },
  }
  if (rules === null) await connection.createRedirectRules(at, [rule], call)
  else await connection.createRedirectRule(at, rules.id, rule, call)
  await updateList(ctx.db.orm, id, { rule: 'enabled' })
}

/**
 * Waits until Cloudflare has processed a change.
 * @throws AppError provider_rejected with its reason, provider_timeout
 */
async function finish(ctx: Ctx, { connection }: OpenAccount, at: string, operation: string, call: CallOptions): Promise<void> {
  for (let waitedMs = 0; waitedMs < longestMs; waitedMs += pollMs) {
    const found = await connection.getListOperation(at, operation, call)
    if (found.state === 'completed') return
    if (found.state === 'failed') throw new AppError('provider_rejected', { provider: { message: found.message } })
    await ctx.clock.sleep(pollMs, call.signal)
  }
  throw new AppError('provider_timeout')
}

/** Writes the effect of a change to the mirror and the activity log. */
async function keep(
  ctx: Ctx,
  { id, ownerId, email }: OpenAccount,
  counts: { readonly updated: number } | { readonly deleted: number },
  write: (tx: Parameters<Parameters<Ctx['db']['orm']['transaction']>[0]>[0]) => Promise<void>,
): Promise<void> {
  await ctx.db.orm.transaction(async (tx) => {
    await requireClaim()
    await write(tx)
    const details = { part: 'redirects', ...counts }
    await audit(tx, ctx, { action: 'update', entityType: 'account', entityId: id, entityName: email, ownerId, details })
    await ctx.events.publish(tx, ownerId, 'accounts', [id])
  })
}
