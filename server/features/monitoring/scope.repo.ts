import { sql } from 'drizzle-orm'
import type { SQL } from 'drizzle-orm'
import { selectSharedDomainIds } from '#server/platform/access-scope.repo.ts'
import type { OwnerScope, SharedScope } from '#server/platform/access-scope.ts'

const uuids = (ids: readonly string[]) => sql`${sql.param([...ids])}::uuid[]`

function within(scope: OwnerScope, prefix: string, isShared: (shared: SharedScope) => SQL): SQL {
  if (scope === null) return sql`true`
  const column = sql.raw(`${prefix}owner_id`)
  const own = scope.ownerId === null ? sql`false` : sql`${column} = ${scope.ownerId}::uuid`
  if (scope.shared === null) return own
  // Owners first, so that the index is used.
  const owners = [...(scope.ownerId === null ? [] : [scope.ownerId]), ...scope.shared.owners]
  return sql`(${column} = any(${uuids(owners)}) and (${own} or ${isShared(scope.shared)}))`
}

/** A condition on rows of domains. @param domainId the column with the domain's id; `alias`: its table */
export const inScope = (
  scope: OwnerScope,
  { alias = '', domainId = 'zone_id' }: { readonly alias?: string; readonly domainId?: string } = {},
): SQL => {
  const prefix = alias === '' ? '' : `${alias}.`
  return within(scope, prefix, (shared) => sql`${sql.raw(`${prefix}${domainId}`)} in (${selectSharedDomainIds(shared)})`)
}

/** A condition on incidents, including those of accounts. */
export const incidentsInScope = (scope: OwnerScope, alias = 'incidents'): SQL => {
  const [domainId, accountId] = [sql.raw(`${alias}.zone_id`), sql.raw(`${alias}.account_id`)]
  return within(
    scope,
    `${alias}.`,
    (shared) =>
      sql`(${domainId} in (${selectSharedDomainIds(shared)}) or (${domainId} is null and ${accountId} = any(${uuids(shared.accountIds)})))`,
  )
}
