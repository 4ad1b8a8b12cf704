import { domainToUnicode } from 'node:url'
import { z } from 'zod'
import type { Ctx } from '#server/platform/context.ts'
import { AppError } from '#shared/errors/app-error.ts'
import type {
  delegationNamesInput,
  delegationNamesOutput,
  DelegationView,
  listDelegationsInput,
  listDelegationsOutput,
} from '#shared/features/registrars/schema.ts'
import { listDelegationNames, listDelegations } from './delegations.repo.ts'
import type { DelegationFilter, DelegationRow } from './delegations.repo.ts'

const mostNames = 20_000

function filterOf(ctx: Ctx, { which, registrar, search, nameServers }: z.output<typeof delegationNamesInput>): DelegationFilter {
  const kind = registrar === 'MANUAL' || registrar === 'API_ENABLED' || registrar === 'none'
  return {
    // Current name servers at a registrar are visible only to the owner.
    ownerId: ctx.actor.role === 'admin' ? null : ctx.actor.userId,
    state: which ?? null,
    registrar: registrar === undefined ? null : kind ? registrar : { id: registrar },
    search: (search ?? '').toLowerCase(),
    nameServers: nameServers ?? null,
  }
}

function toDelegation(row: DelegationRow): DelegationView {
  const { registrarId: id, registrarName: name, registrarType: type, registrarProvider: provider } = row
  return {
    zoneId: row.id,
    name: row.name,
    displayName: domainToUnicode(row.name) || row.name,
    accountEmail: row.email,
    state: row.active ? 'elsewhere' : 'waiting',
    wanted: row.assigned,
    registrar: id === null || name === null || type === null || provider === null ? null : { id, name, type, provider },
    atRegistrar: row.registered,
  }
}

/**
 * Domains whose name servers are not those assigned by Cloudflare, according to the mirrored state; nothing is queried. They leave the list when the
 * zone becomes active.
 * @throws AppError validation_failed for an invalid cursor
 */
export async function listWrongDelegations(
  ctx: Ctx,
  { cursor, limit, ...filter }: z.output<typeof listDelegationsInput>,
): Promise<z.output<typeof listDelegationsOutput>> {
  if (cursor !== undefined && !z.uuid().safeParse(cursor).success) {
    throw new AppError('validation_failed', { issues: [{ path: 'cursor', message: 'invalid_cursor' }] })
  }
  const { rows, total, pairs } = await listDelegations(ctx.db.orm, filterOf(ctx, filter), { after: cursor ?? null, limit })
  return {
    delegations: rows.map(toDelegation),
    total,
    pairs: pairs.map(({ nameServers, count }) => ({ nameServers, count })),
    nextCursor: rows.length < limit ? null : (rows.at(-1)?.id ?? null),
  }
}

/** For copying into a registrar's own form. */
export async function listWrongNames(
  ctx: Ctx,
  input: z.output<typeof delegationNamesInput>,
): Promise<z.output<typeof delegationNamesOutput>> {
  const rows = await listDelegationNames(ctx.db.orm, filterOf(ctx, input), mostNames)
  return { ids: rows.map(({ id }) => id), names: rows.map(({ name }) => name) }
}
