import type { z } from 'zod'
import { openZone } from '../access/open-zone.ts'
import { audit } from '#server/platform/audit.ts'
import type { Ctx } from '#server/platform/context.ts'
import { AppError } from '#shared/errors/app-error.ts'
import type { purgeCacheInput } from '#shared/features/domains/settings/schema.ts'

/** The limit of one call on every plan. */
const filesPerCall = 100

/** A valid key without permission to purge the cache: for tokens the provider returns 10000. */
const lacksPermission = ({ code, provider }: AppError) =>
  code === 'provider_forbidden' || (code === 'provider_auth' && provider?.code === '10000')

function requireOwnUrls(files: readonly string[], name: string): void {
  const issues = files.flatMap((file, index) => {
    const { hostname } = new URL(file)
    return hostname === name || hostname.endsWith(`.${name}`) ? [] : [{ path: `files.${index}`, message: 'foreign_url' }]
  })
  if (issues.length > 0) throw new AppError('validation_failed', { issues })
}

/**
 * The zone and the number of calls that a purge takes; sends nothing.
 * @throws AppError not_found, level_too_low, cache_unavailable, validation_failed
 */
export async function planPurge(ctx: Ctx, { id, files }: Pick<z.output<typeof purgeCacheInput>, 'id' | 'files'>) {
  const zone = await openZone(ctx, id)
  if (zone.status !== 'active') throw new AppError('cache_unavailable')
  if (files !== undefined) requireOwnUrls(files, zone.name)
  return { zone, calls: files === undefined ? 1 : Math.ceil(files.length / filesPerCall) }
}

/**
 * Purges the whole cache of a domain or single URLs.
 * @throws AppError not_found, cache_unavailable, cache_forbidden, validation_failed, provider_*; parameter `done`: URLs purged before the
 * error
 */
export async function purgeCache(ctx: Ctx, { id, files }: z.output<typeof purgeCacheInput>): Promise<{ success: true }> {
  const { zone } = await planPurge(ctx, { id, files })
  const all = files ?? []
  let done = 0
  const purge = (what: Parameters<typeof zone.connection.purgeCache>[1]) =>
    zone.connection.purgeCache(zone.providerZoneId, what, { priority: 'person' })
  try {
    if (files === undefined) await purge({ everything: true })
    for (let start = 0; start < all.length; start += filesPerCall) {
      const some = all.slice(start, start + filesPerCall)
      await purge({ files: some })
      done += some.length
    }
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    throw new AppError(lacksPermission(error) ? 'cache_forbidden' : error.code, {
      params: { ...error.params, done },
      ...(error.provider === undefined ? {} : { provider: error.provider }),
      cause: error,
    })
  } finally {
    // Also logs what was purged before a refusal.
    if (done > 0) await note({ files: done })
  }
  if (files === undefined) await note({ everything: true })
  return { success: true }

  function note(purged: Readonly<Record<string, unknown>>): Promise<void> {
    const entry = { action: 'update', entityType: 'zone', entityId: id, entityName: zone.name, ownerId: zone.ownerId } as const
    return audit(ctx.db.orm, ctx, { ...entry, details: { cache: purged } })
  }
}
