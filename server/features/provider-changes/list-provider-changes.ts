import { domainToUnicode } from 'node:url'
import type { z } from 'zod'
import { requireZone } from '#server/features/domains/index.ts'
import { getSharedScope, requireLevel } from '#server/platform/access-scope.ts'
import type { Ctx } from '#server/platform/context.ts'
import { readTimeCursor } from '#server/platform/time-cursor.ts'
import { AppError } from '#shared/errors/app-error.ts'
import { mostCounted } from '#shared/features/provider-changes/names.ts'
import type {
  countUnreviewedChangesOutput,
  listChangeActorsOutput,
  listProviderChangesInput,
  listProviderChangesOutput,
  ProviderChange,
} from '#shared/features/provider-changes/schema.ts'
import { countUnreviewed, findAccountOwner, listActors, listChanges, readClock } from './list-changes.repo.ts'
import type { ChangeRow, ChangeScope, ReviewScope, WholeScope } from './list-changes.repo.ts'

type Input = z.output<typeof listProviderChangesInput>

/** @throws AppError not_found for a domain or an account without access */
async function getScope(ctx: Ctx, { accountId, domainId }: Input): Promise<ChangeScope> {
  if (domainId !== undefined) {
    await requireZone(ctx, domainId, 'view')
    return { domainId, accountId }
  }
  if (accountId !== undefined) {
    const ownerId = await findAccountOwner(ctx.db, accountId)
    if (ownerId === null) throw new AppError('not_found')
    await requireLevel(ctx, { ownerId, accountId }, 'view')
    return { accountIds: [accountId], owners: [] }
  }
  return getWholeScope(ctx)
}

async function getWholeScope(ctx: Ctx): Promise<WholeScope> {
  if (ctx.actor.role === 'admin') return { everybody: true }
  return { accountIds: (await getSharedScope(ctx))?.accountIds ?? [], owners: [ctx.actor.userId] }
}

/** The actor's own accounts, for an administrator, too, and those shared with them that they may operate. */
export async function getReviewScope(ctx: Ctx): Promise<ReviewScope> {
  return { accountIds: (await getSharedScope(ctx, 'operate'))?.accountIds ?? [], owners: [ctx.actor.userId] }
}

const toChange = (row: ChangeRow, isOwner: boolean): ProviderChange => {
  const name = row.domainName ?? row.zoneName
  return {
    id: row.id,
    at: new Date(row.changedAt).toISOString(),
    readAt: new Date(row.readAt).toISOString(),
    account: { id: row.accountId, name: row.accountName },
    domain: name === null ? null : { id: row.domainId, name, displayName: domainToUnicode(name) || name },
    kind: row.kind,
    action: row.action,
    actor: { name: row.actor, via: row.via, tokenName: row.tokenName, address: isOwner ? row.address : null },
    product: row.product,
    subject: row.subject,
    isOwn: row.isOwn,
    critical: row.critical,
    reviewedAt: row.reviewedAt === null ? null : new Date(row.reviewedAt).toISOString(),
    isAllowed: row.isAllowed,
  }
}

/**
 * Changes in accounts at the provider, newest first: of the actor's own accounts and those shared with them, of one account or one domain.
 * @throws AppError not_found, validation_failed
 */
export async function listProviderChanges(ctx: Ctx, input: Input): Promise<z.output<typeof listProviderChangesOutput>> {
  const { cursor, limit, accountId: _, domainId: _domain, ...filter } = input
  const after = readTimeCursor(cursor)
  const readUntil = (await readClock(ctx.db)).toISOString()
  const rows = await listChanges(ctx.db, await getScope(ctx, input), { ...filter, after, limit: limit + 1 })
  const { role, userId } = ctx.actor
  const changes = rows.slice(0, limit).map((row) => toChange(row, role === 'admin' || row.ownerId === userId))
  const last = changes.at(-1)
  return { changes, nextCursor: rows.length > limit && last !== undefined ? `${last.at}_${last.id}` : null, readUntil }
}

/** Who made the changes that the actor sees. */
export async function listChangeActors(ctx: Ctx): Promise<z.output<typeof listChangeActorsOutput>> {
  return { actors: await listActors(ctx.db, await getWholeScope(ctx)) }
}

/** Changes by others that nobody has reviewed, in the accounts where marking all as reviewed includes them. */
export async function countUnreviewedChanges(ctx: Ctx): Promise<z.output<typeof countUnreviewedChangesOutput>> {
  return { changes: await countUnreviewed(ctx.db, await getReviewScope(ctx), mostCounted) }
}
