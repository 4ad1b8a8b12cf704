import { audit } from '#server/platform/audit.ts'
import { findNamed } from '#server/platform/audit.repo.ts'
import type { Ctx } from '#server/platform/context.ts'
import type { ErrorCode } from '#shared/errors/codes.ts'
import type { ActivityEntity } from '#shared/features/activity/schema.ts'

/** A person who was known and was not let. What is not found is not distinguished from what is not there. */
const byRights: ReadonlySet<ErrorCode> = new Set(['forbidden', 'level_too_low', 'session_only', 'read_only_token', 'buying_token_needed'])
export const isRefusalByRights = (code: ErrorCode): boolean => byRights.has(code)

const onceInMs = 60_000

/** What a router is about; of the others the person themselves. */
const entities: Readonly<Record<string, ActivityEntity>> = {
  accounts: 'account',
  apiTokens: 'token',
  domains: 'zone',
  groups: 'group',
  history: 'zone',
  operations: 'operation',
  profiles: 'profile',
  records: 'zone',
  registrars: 'registrar',
  settings: 'settings',
  trackers: 'tracker',
  zoneCreation: 'zone',
  zoneSettings: 'zone',
}
const uuid = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i

/** The one change that a call names; nothing where it names many. */
function entityOf(procedure: string, input: unknown): { readonly entityType: ActivityEntity; readonly entityId: string | null } {
  const given: Readonly<Record<string, unknown>> = typeof input === 'object' && input !== null ? { ...input } : {}
  const idOf = (key: string) => {
    const value = given[key]
    return typeof value === 'string' && uuid.test(value) ? value.toLowerCase() : null
  }
  const [router = ''] = procedure.split('.')
  if (router === 'sharing') {
    const accountId = idOf('accountId')
    return accountId === null ? { entityType: 'group', entityId: idOf('groupId') } : { entityType: 'account', entityId: accountId }
  }
  return { entityType: entities[router] ?? 'user', entityId: idOf('id') }
}

/**
 * Writes down that a known person asked for what they may not: once a minute for each procedure and reason, so that no loop fills
 * the log. Its failure is not the caller's.
 */
export async function auditRefusal(ctx: Ctx, procedure: string, why: ErrorCode, input: unknown): Promise<void> {
  try {
    const { allowed } = await ctx.limiter.take(`refused:${ctx.actor.userId}:${procedure}:${why}`, 1, onceInMs)
    if (!allowed) return
    const entity = entityOf(procedure, input)
    const { entityType, entityId } = entity
    // Anyone who may do too little with a resource sees it; of all others not even the name is reported.
    const named =
      why === 'level_too_low' && entityId !== null && (entityType === 'zone' || entityType === 'account' || entityType === 'group')
        ? await findNamed(ctx.db, entityType, entityId)
        : null
    await audit(ctx.db.orm, ctx, {
      action: 'denied',
      ...entity,
      entityName: named?.name ?? null,
      ownerId: named?.ownerId ?? null,
      details: { why, procedure },
    })
  } catch (error) {
    ctx.log.error({ err: error, procedure }, 'failed to record a denied action')
  }
}
