import type { Database, Queryable } from '#server/db/client.ts'
import type { UserActor } from '#server/platform/actor.ts'
import { batchLookups } from '#server/platform/batch-lookups.ts'
import type { Events } from '#server/platform/events.ts'
import { listAccountIdsBehind, listGrants, listPeopleBehind } from '#server/platform/access-scope.repo.ts'
import type { Leaving } from '#server/platform/access-scope.repo.ts'
import { AppError } from '#shared/errors/app-error.ts'
import { isAtLeast } from '#shared/features/sharing/rules.ts'
import type { Level } from '#shared/features/sharing/rules.ts'
import type { Ownership, SharedWithMe, ShareLevel } from '#shared/features/sharing/schema.ts'

/** Access control: who may do what with which resources. No other file decides this. */

export interface Grant {
  readonly level: ShareLevel
  readonly ownerId: string
  readonly ownerName: string
}

/** Ids of a shareable resource, by kind. */
const kinds = ['accounts', 'groups', 'registrars', 'trackers'] as const
type Kind = (typeof kinds)[number]

/** Resources shared with a person, by id. */
export type Grants = Readonly<Record<Kind, ReadonlyMap<string, Grant>>>

/** A zone (of an account, possibly in a group), an account, a group, a registrar or a tracker. */
export interface AccessTarget {
  readonly ownerId: string
  readonly accountId?: string | null
  readonly groupId?: string | null
  readonly registrarId?: string | null
  readonly trackerId?: string | null
}

/** Other people's resources in these accounts or groups. `owners` are their owners. */
export interface SharedScope {
  readonly owners: readonly string[]
  readonly accountIds: readonly string[]
  readonly groupIds: readonly string[]
}

/** Which zones, accounts and groups a statement may see. */
export interface AccessScope {
  /** All resources of these people. */
  readonly owners: readonly string[]
  /** Null if nothing is shared, so that a statement can skip the check. */
  readonly shared: SharedScope | null
  /** `owners` are all there are, so that a statement can skip the check. */
  readonly everybody?: boolean
}

interface Asking {
  readonly db: Database
  readonly actor: UserActor
}

const emptyGrants = (): Record<Kind, Map<string, Grant>> => ({
  accounts: new Map(),
  groups: new Map(),
  registrars: new Map(),
  trackers: new Map(),
})
export const noGrants: Grants = emptyGrants()

function createLookup(db: Database) {
  return batchLookups(async (ids) => {
    const found = new Map<string, ReturnType<typeof emptyGrants>>()
    for (const row of await listGrants(db, ids)) {
      const grants = found.get(row.granteeId) ?? emptyGrants()
      found.set(row.granteeId, grants)
      const grant = { level: row.level, ownerId: row.ownerId, ownerName: row.ownerName }
      if (row.accountId !== null) grants.accounts.set(row.accountId, grant)
      if (row.groupId !== null) grants.groups.set(row.groupId, grant)
      if (row.registrarId !== null) grants.registrars.set(row.registrarId, grant)
      if (row.trackerId !== null) grants.trackers.set(row.trackerId, grant)
    }
    return found
  })
}
const lookups = new WeakMap<Database, ReturnType<typeof createLookup>>()
const known = new WeakMap<Asking, Promise<Grants>>()

/** Reads the current shares, uncached. */
export async function readGrants(db: Database, userId: string): Promise<Grants> {
  const lookup = lookups.get(db) ?? createLookup(db)
  lookups.set(db, lookup)
  return (await lookup(userId)) ?? noGrants
}

/** Reads the shares once per request (or item of an operation), and not at all if the session reported that there are none. */
export function grantsOf(ctx: Asking): Promise<Grants> {
  if (ctx.actor.hasGrants === false) return Promise.resolve(noGrants)
  const asked = known.get(ctx)
  if (asked !== undefined) return asked
  const grants = readGrants(ctx.db, ctx.actor.userId)
  known.set(ctx, grants)
  return grants
}

/** Other people's accounts with a zone visible to the person. */
export const listAccountsBehind = async (db: Database, userId: string): Promise<ReadonlySet<string>> =>
  new Set(await listAccountIdsBehind(db, userId))

const higher = (one: Grant | undefined, other: Grant | undefined): Grant | undefined =>
  one === undefined || (other !== undefined && isAtLeast(other.level, one.level)) ? other : one

const isOwn = (actor: UserActor, { ownerId }: Pick<AccessTarget, 'ownerId'>) => actor.role === 'admin' || ownerId === actor.userId

function grantOn(grants: Grants, { ownerId, accountId, groupId, registrarId, trackerId }: AccessTarget): Grant | undefined {
  const find = (kind: Kind, id: string | null | undefined) => {
    const grant = id == null ? undefined : grants[kind].get(id)
    return grant?.ownerId === ownerId ? grant : undefined
  }
  return [find('groups', groupId), find('registrars', registrarId), find('trackers', trackerId)].reduce(higher, find('accounts', accountId))
}

/** The access level of the actor for a resource; null if the resource must look absent. */
export const levelOf = (actor: UserActor, grants: Grants, target: AccessTarget): Level | null =>
  isOwn(actor, target) ? 'own' : (grantOn(grants, target)?.level ?? null)

/** How lists mark the resource. */
export function sharedOf(actor: UserActor, grants: Grants, target: AccessTarget): SharedWithMe {
  if (isOwn(actor, target)) return null
  const grant = grantOn(grants, target)
  return grant === undefined ? null : { by: grant.ownerName, level: grant.level }
}

/** As `sharedOf`, but loads shares only for other people's resources. */
export async function findShared(ctx: Asking, target: AccessTarget): Promise<SharedWithMe> {
  return isOwn(ctx.actor, target) ? null : sharedOf(ctx.actor, await grantsOf(ctx), target)
}

/** As `levelOf`, but loads shares only for other people's resources. */
export async function findLevel(ctx: Asking, target: AccessTarget): Promise<Level | null> {
  return isOwn(ctx.actor, target) ? 'own' : levelOf(ctx.actor, await grantsOf(ctx), target)
}

/**
 * Ensures that the actor has the `needed` level for the resource.
 * @throws AppError not_found for another user's resource, level_too_low if the share is not sufficient, access_ended in an operation
 * planned while the actor had access
 */
export async function requireLevel(ctx: Asking, target: AccessTarget, needed: Level): Promise<void> {
  const level = await findLevel(ctx, target)
  if (level !== null && isAtLeast(level, needed)) return
  if (ctx.actor.via?.kind === 'operation') throw new AppError('access_ended')
  throw new AppError(level === null ? 'not_found' : 'level_too_low')
}

/**
 * As `requireLevel`, for a resource that the actor is known to see anyway, so its existence need not be hidden.
 * @throws AppError level_too_low, access_ended in an operation
 */
export async function requireLevelOfSeen(ctx: Asking, target: AccessTarget, needed: Level): Promise<void> {
  const level = await findLevel(ctx, target)
  if (level !== null && isAtLeast(level, needed)) return
  throw new AppError(ctx.actor.via?.kind === 'operation' ? 'access_ended' : 'level_too_low')
}

/** Other people's registrars or trackers shared with the actor at this level or above. */
export async function listSharedIds(ctx: Asking, kind: 'registrars' | 'trackers', needed: ShareLevel = 'view'): Promise<string[]> {
  return [...(await grantsOf(ctx))[kind]].flatMap(([id, { level }]) => (isAtLeast(level, needed) ? [id] : []))
}

/** Zones, accounts and groups shared with the actor at this level or above. */
export async function getSharedScope(ctx: Asking, needed: ShareLevel = 'view'): Promise<SharedScope | null> {
  const { accounts, groups } = await grantsOf(ctx)
  const enough = (grants: ReadonlyMap<string, Grant>) => [...grants].filter(([, { level }]) => isAtLeast(level, needed))
  const [accountGrants, groupGrants] = [enough(accounts), enough(groups)]
  const owners = [...new Set([...accountGrants, ...groupGrants].map(([, { ownerId }]) => ownerId))]
  if (owners.length === 0) return null
  return { owners, accountIds: accountGrants.map(([id]) => id), groupIds: groupGrants.map(([id]) => id) }
}

const of = (scope: SharedScope | null, grants: Grants, ownerId: string): SharedScope | null => {
  if (scope === null || !scope.owners.includes(ownerId)) return null
  const theirs = (ids: readonly string[], from: ReadonlyMap<string, Grant>) => ids.filter((id) => from.get(id)?.ownerId === ownerId)
  return { owners: [ownerId], accountIds: theirs(scope.accountIds, grants.accounts), groupIds: theirs(scope.groupIds, grants.groups) }
}

/**
 * The scope of lists: the actor's own resources and shared ones; everything for an administrator. `ownerId` restricts it to one owner.
 * @param everybody the ids of all users, for an administrator
 */
export async function getAccessScope(
  ctx: Asking,
  narrowed: { readonly ownerId?: string | undefined; readonly ownership?: Ownership | undefined },
  everybody: () => Promise<readonly string[]>,
): Promise<AccessScope> {
  const { ownerId, ownership } = narrowed
  const { role, userId } = ctx.actor
  const own = ownership === 'shared' ? [] : role === 'admin' && ownership === undefined ? null : [userId]
  const owners =
    own === null ? (ownerId === undefined ? await everybody() : [ownerId]) : own.filter((id) => ownerId === undefined || id === ownerId)
  // An administrator's scope includes shares already, unless only shares are requested.
  const all = ownership === 'own' || own === null ? null : await getSharedScope(ctx)
  const shared = ownerId === undefined || all === null ? all : of(all, await grantsOf(ctx), ownerId)
  return { owners, shared, everybody: own === null && ownerId === undefined }
}

/** Whose domains and incidents are included: an owner's and those shared with them. Null: all owners. */
export type OwnerScope = { readonly ownerId: string | null; readonly shared: SharedScope | null } | null

/** The caller's own objects and those shared at this level or above; for an administrator those of all owners. `ownerId` restricts to one owner. */
export async function getOwnerScope(ctx: Asking, ownerId: string | undefined, level: ShareLevel = 'view'): Promise<OwnerScope> {
  const { role, userId } = ctx.actor
  if (role === 'admin') return ownerId === undefined ? null : { ownerId, shared: null }
  if (ownerId === userId) return { ownerId, shared: null }
  const shared = await getSharedScope(ctx, level)
  return ownerId === undefined
    ? { ownerId: userId, shared }
    : { ownerId: null, shared: shared && { ...shared, owners: shared.owners.filter((id) => id === ownerId) } }
}

/**
 * Publishes a change at commit to grantees of resources that are about to be deleted. Call it before the deletion, which removes the
 * shares.
 */
export async function publishSharesChanged({ events }: { readonly events: Events }, tx: Queryable, leaving: Leaving): Promise<void> {
  for (const userId of await listPeopleBehind(tx, leaving)) await events.publish(tx, userId, 'shares')
}
