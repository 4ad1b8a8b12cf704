import { domainToUnicode } from 'node:url'
import type { z } from 'zod'
import type { Ctx } from '#server/platform/context.ts'
import { sharedReach } from '#server/platform/reach.ts'
import { AppError } from '#shared/errors/app-error.ts'
import type { listNamesInput, listNamesOutput, RegistrarNameView } from '#shared/features/registrars/schema.ts'
import type { ShownName } from './registrar-names.repo.ts'
import { listNames } from './registrar-names.repo.ts'
import { getRegistrar, scopeOf } from '../list-registrars.ts'

const readCursor = (cursor: string | undefined): { name: string; id: string } | null => {
  if (cursor === undefined) return null
  const [name, id] = cursor.split(' ')
  if (name === undefined || !/^[\da-f-]{36}$/.test(id ?? '')) {
    throw new AppError('validation_failed', { issues: [{ path: 'cursor', message: 'invalid_cursor' }] })
  }
  return { name, id: id ?? '' }
}

export const toRegistrarName = (row: ShownName): RegistrarNameView => ({
  id: row.id,
  registrarId: row.registrar_id,
  name: row.name,
  displayName: domainToUnicode(row.name) || row.name,
  status: row.status,
  expiresAt: row.expires_at === null ? null : new Date(row.expires_at).toISOString(),
  source: row.expires_at === null ? null : row.source,
  readAt: row.expires_at === null || row.read_at === null ? null : new Date(row.read_at).toISOString(),
  autoRenew: row.auto_renew,
  locked: row.locked,
  nameServers: row.name_servers,
  nameServersAt: row.name_servers_at === null ? null : new Date(row.name_servers_at).toISOString(),
  zoneId: row.zone_id,
})

/**
 * The names at API registrars, by name, with the domain of the panel that each is; `unbound` are those in no CF account (R-BUY-04).
 * Of a registrar that is shared, its owner's domains count too; only those that the actor sees are named.
 * @throws AppError not_found for somebody else's registrar, validation_failed for a cursor that is none
 */
export async function listRegistrarNames(ctx: Ctx, input: z.output<typeof listNamesInput>): Promise<z.output<typeof listNamesOutput>> {
  if (input.registrarId !== undefined) await getRegistrar(ctx, { id: input.registrarId })
  const { rows, total } = await listNames(ctx.db.orm, {
    scope: await scopeOf(ctx),
    seen: await sharedReach(ctx),
    registrarId: input.registrarId ?? null,
    bound: input.which === undefined ? null : input.which === 'bound',
    search: (input.search ?? '').toLowerCase(),
    after: readCursor(input.cursor),
    limit: input.limit,
  })
  const last = rows.at(-1)
  return {
    names: rows.map(toRegistrarName),
    total,
    nextCursor: last === undefined || rows.length < input.limit ? null : `${last.name} ${last.id}`,
  }
}
