import { audit } from '#server/platform/audit.ts'
import { findNamed } from '#server/platform/audit.repo.ts'
import type { Ctx } from '#server/platform/context.ts'
import type { ErrorCode } from '#shared/errors/codes.ts'
import type { ActivityEntity } from '#shared/features/activity/schema.ts'

/** Refusals of authenticated people. "Not found" is not logged because it may hide an existing resource. */
const byRights: ReadonlySet<ErrorCode> = new Set([
  'forbidden',
  'level_too_low',
  'session_only',
  'read_only_token',
  'buy_only_token',
  'buying_token_needed',
])
export const isRefusalByRights = (code: ErrorCode): boolean => byRights.has(code)

const onceInMs = 60_000

/** The entity type of a router; for the others the person. */
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

/** The id in the input if it names exactly one object. */
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
 * Logs that an authenticated person requested something forbidden: once a minute for each procedure and reason, so that no loop fills the
 * log. A failure to log does not affect the caller.
 */
export async function auditRefusal(ctx: Ctx, procedure: string, why: ErrorCode, input: unknown): Promise<void> {
  try {
    const { allowed } = await ctx.limiter.take(`refused:${ctx.actor.userId}:${procedure}:${why}`, 1, onceInMs)
    if (!allowed) return
    const entity = entityOf(procedure, input)
    const { entityType, entityId } = entity
    // The name is logged only for resources the person may see at a lower level.
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
