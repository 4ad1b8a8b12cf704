import type { z } from 'zod'
import { getSharedScope, requireLevel } from '#server/platform/access-scope.ts'
import { audit } from '#server/platform/audit.ts'
import type { Ctx } from '#server/platform/context.ts'
import { requireRoom } from '#server/platform/owner-limits.repo.ts'
import { AppError } from '#shared/errors/app-error.ts'
import { mostCounted } from '#shared/features/provider-changes/names.ts'
import type {
  AllowedChange,
  allowChangesInput,
  allowChangesOutput,
  countAllowedChangesInput,
  countAllowedChangesOutput,
  disallowChangesInput,
  listAllowedChangesOutput,
} from '#shared/features/provider-changes/schema.ts'
import { countMatches, deleteRule, findGroupOwner, getRule, insertRule, listRules, lockRules } from './allowed-changes.repo.ts'
import type { AllowedChangeRow, AllowedScope } from './allowed-changes.repo.ts'
import { findAccountOwner } from './list-changes.repo.ts'
import { reviewAll } from './review-changes.ts'

type Input = z.output<typeof allowChangesInput>
type Scope = z.output<typeof countAllowedChangesInput>

/** More than the limit of several people; only an administrator could miss some. */
const mostListed = 2_000

/** The rule with its owner: that of the account or the group, or the actor. @throws AppError not_found, level_too_low */
async function withOwner(ctx: Ctx, { actor, kind, accountId, groupId }: Scope): Promise<AllowedScope> {
  const ownerId =
    accountId !== null
      ? await findAccountOwner(ctx.db, accountId)
      : groupId !== null
        ? await findGroupOwner(ctx.db.orm, groupId)
        : ctx.actor.userId
  if (ownerId === null) throw new AppError('not_found')
  await requireLevel(ctx, { ownerId, accountId, groupId }, 'manage')
  return { ownerId, actor, kind, accountId, groupId }
}

const toRule = ({ createdAt, ...row }: AllowedChangeRow): AllowedChange => ({
  ...row,
  createdAt: new Date(createdAt).toISOString(),
})

const entryOf = (row: AllowedChangeRow) => ({
  entityType: 'settings' as const,
  entityId: row.id,
  entityName: row.actor,
  ownerId: row.ownerId,
  details: {
    allowedAuthor: row.actor,
    allowedKind: row.kind ?? 'all',
    ...(row.accountEmail !== null && { account: row.accountEmail }),
    ...(row.groupName !== null && { group: row.groupName }),
    ...(row.reason !== '' && { reason: row.reason }),
  },
})

/** How many changes that wait for a review the rule would allow. @throws AppError not_found, level_too_low */
export async function countAllowedChanges(ctx: Ctx, input: Scope): Promise<z.output<typeof countAllowedChangesOutput>> {
  return { changes: await countMatches(ctx.db.orm, await withOwner(ctx, input), mostCounted) }
}

/**
 * Allows changes by others: those that match need no review and are not reported, including those that the panel has read already.
 * @throws AppError not_found, level_too_low, limit_reached
 */
export async function allowChanges(ctx: Ctx, { reason, ...input }: Input): Promise<z.output<typeof allowChangesOutput>> {
  const rule = await withOwner(ctx, input)
  const row = await ctx.db.orm.transaction(async (tx) => {
    await lockRules(tx, rule.ownerId, 'exclusive')
    await requireRoom(tx, 'allowedChanges', rule.ownerId)
    const inserted = await insertRule(tx, { ...rule, reason, createdBy: ctx.actor.userId })
    await audit(tx, ctx, { action: 'create', ...entryOf(inserted) })
    await ctx.events.publish(tx, rule.ownerId, 'provider_changes')
    return inserted
  })
  return { allowedChange: toRule(row), reviewed: await reviewAll(ctx, { rule }) }
}

/** Rules of the actor, and those of accounts and groups that the actor manages; newest first. */
export async function listAllowedChanges(ctx: Ctx): Promise<z.output<typeof listAllowedChangesOutput>> {
  const { role, userId } = ctx.actor
  const shared = await getSharedScope(ctx, 'manage')
  const { accountIds, groupIds } = shared ?? { accountIds: [], groupIds: [] }
  const rows = await listRules(ctx.db.orm, role === 'admin' ? null : { ownerId: userId, accountIds, groupIds }, mostListed)
  return { allowedChanges: rows.map(toRule) }
}

/** Changes that were allowed stay reviewed. @throws AppError not_found, level_too_low */
export async function disallowChanges(ctx: Ctx, { id }: z.output<typeof disallowChangesInput>): Promise<void> {
  const row = await getRule(ctx.db.orm, id)
  await requireLevel(ctx, row, 'manage')
  await ctx.db.orm.transaction(async (tx) => {
    if (!(await deleteRule(tx, id))) throw new AppError('not_found')
    await audit(tx, ctx, { action: 'delete', ...entryOf(row) })
    await ctx.events.publish(tx, row.ownerId, 'provider_changes')
  })
}
