import { domainToUnicode } from 'node:url'
import type { z } from 'zod'
import type { Ctx } from '#server/platform/context.ts'
import { getSharedScope } from '#server/platform/access-scope.ts'
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
  registrarId: row.registrarId,
  name: row.name,
  displayName: domainToUnicode(row.name) || row.name,
  status: row.status,
  expiresAt: row.expiresAt === null ? null : new Date(row.expiresAt).toISOString(),
  source: row.expiresAt === null ? null : row.source,
  readAt: row.expiresAt === null || row.readAt === null ? null : new Date(row.readAt).toISOString(),
  autoRenew: row.autoRenew,
  locked: row.locked,
  nameServers: row.nameServers,
  nameServersAt: row.nameServersAt === null ? null : new Date(row.nameServersAt).toISOString(),
  zoneId: row.domainId,
})

/**
 * The names at API registrars, by name, each with its domain in the panel; `unbound` are those in no Cloudflare account (R-BUY-04). For a shared
 * registrar, its owner's domains count too, but only visible ones are named.
 * @throws AppError not_found for another user's registrar, validation_failed for an invalid cursor
 */
export async function listRegistrarNames(ctx: Ctx, input: z.output<typeof listNamesInput>): Promise<z.output<typeof listNamesOutput>> {
  if (input.registrarId !== undefined) await getRegistrar(ctx, { id: input.registrarId })
  const { rows, total } = await listNames(ctx.db.orm, {
    scope: await scopeOf(ctx),
    seen: await getSharedScope(ctx),
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
