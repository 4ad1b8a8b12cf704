import { detailsPendingBit, dimMatches, dimNames, dimValue } from '#shared/features/domains/dims.ts'
import type { DimName } from '#shared/features/domains/dims.ts'
import type { DomainFilter, DomainSummary } from '#shared/features/domains/schema.ts'
import type { Ctx } from '#server/platform/context.ts'
import { countUnreadable, findFreshness, listCounts } from './counts.repo.ts'
import { getDomainScope } from './select-domains.ts'
import { listAccountIds } from './domains.repo.ts'
import { sharedCounts } from './shared-counts.ts'

const add = (counts: Record<string, number>, key: string, n: number) => {
  counts[key] = (counts[key] ?? 0) + n
}

const hasFilter = ({ ownerId: _owner, ownership: _ownership, ...asked }: DomainFilter) =>
  Object.values(asked).some((value) => value !== undefined && (typeof value === 'number' || value.length > 0))

/** Tiles over everything the user may see, and facet counts by value for each filter. */
export async function summarizeDomains(ctx: Ctx, filter: DomainFilter): Promise<DomainSummary> {
  const scope = await getDomainScope(ctx, filter)
  const given = filter.accountIds === undefined || filter.accountIds.length === 0 ? null : filter.accountIds
  const accountIds = filter.email === undefined || filter.email === '' ? given : await listAccountIds(ctx.db, scope, filter.email, given)
  const count = () => listCounts(ctx.db, scope, filter, accountIds)
  const [{ rows, narrowed }, fresh] = await Promise.all([
    // Without a filter the maintained counts of one owner are as fast as the cache.
    hasFilter(filter) || scope.everybody === true ? sharedCounts(ctx, JSON.stringify([scope, filter, accountIds]), count) : count(),
    findFreshness(ctx.db, scope, accountIds),
  ])

  const tiles = { total: 0, active: 0, pending: 0, withSsl: 0, alwaysHttps: 0, underAttack: 0 }
  const facets = {
    status: {},
    ssl: {},
    https: {},
    securityLevel: {},
    tlsMin: {},
    health: {},
    tracker: {},
    account: {},
    group: {},
  } satisfies Record<string, Record<string, number>>
  let matching = 0
  let detailsPending = 0
  const wanted = dimNames.flatMap((name) => (filter[name] === undefined ? [] : [[name, filter[name]] as const]))
  const countCell = (packed: number, n: number) => {
    const missed = wanted.filter(([name, value]) => !dimMatches(name, value, packed))
    if (missed.length > 1) return
    if (missed.length === 0) {
      matching += n
      if ((packed & detailsPendingBit) !== 0) detailsPending += n
    }
    // A row that fails only one filter still counts among the values of that filter.
    for (const name of missed.length === 0 ? dimNames : missed.map(([only]) => only)) {
      const value = dimValue(name, packed)
      if (value !== '') add(facets[name], value, n)
      if (name === 'ssl' && dimMatches('ssl', 'on', packed)) add(facets.ssl, 'on', n)
    }
  }

  for (const { kind, key, dims: packed, n } of rows) {
    if (kind === 1 && key !== null) add(facets.account, key, n)
    else if (kind === 2 && key !== null) add(facets.group, key, n)
    else if (kind === 0 && packed !== null) countCell(packed, n)
    else if (kind === 3 && packed !== null) {
      const is = (name: DimName, value: string) => (dimMatches(name, value, packed) ? n : 0)
      tiles.total += n
      tiles.active += is('status', 'active')
      tiles.pending += is('status', 'pending')
      tiles.withSsl += is('ssl', 'on')
      tiles.alwaysHttps += is('https', 'enabled')
      tiles.underAttack += is('securityLevel', 'under_attack')
      if (!narrowed) countCell(packed, n)
    }
  }
  const { refused, ...freshness } = fresh
  // Details that a credential may not read are not pending.
  const never = detailsPending === 0 ? 0 : await countUnreadable(ctx.db, refused)
  return { matching, tiles, facets, freshness: { ...freshness, detailsPending: Math.max(0, detailsPending - never) } }
}
