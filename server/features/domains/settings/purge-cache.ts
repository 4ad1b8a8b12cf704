import type { z } from 'zod'
import { openZone } from '../access/open-zone.ts'
import { audit } from '#server/platform/audit.ts'
import type { Ctx } from '#server/platform/context.ts'
import { AppError } from '#shared/errors/app-error.ts'
import type { purgeCacheInput } from '#shared/features/domains/settings/schema.ts'

/** What the provider takes in one call on every plan. */
const filesPerCall = 100

/** A key that is good, and may not clear the cache: the provider says 10000 to tokens without the permission. */
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
 * What clearing takes: the zone, and so many calls; nothing is sent.
 * @throws AppError not_found, level_too_low, cache_unavailable, validation_failed
 */
export async function planPurge(ctx: Ctx, { id, files }: Pick<z.output<typeof purgeCacheInput>, 'id' | 'files'>) {
  const zone = await openZone(ctx, id)
  if (zone.status !== 'active') throw new AppError('cache_unavailable')
  if (files !== undefined) requireOwnUrls(files, zone.name)
  return { zone, calls: files === undefined ? 1 : Math.ceil(files.length / filesPerCall) }
}

/**
 * Clears the whole cache of a domain, or single addresses of it.
 * @throws AppError not_found, cache_unavailable, cache_forbidden, validation_failed, provider_*; parameter `done`: addresses cleared before
 */
export async function purgeCache(ctx: Ctx, { id, files }: z.output<typeof purgeCacheInput>): Promise<{ success: true }> {
  const { zone } = await planPurge(ctx, { id, files })
  const all = files ?? []
  let done = 0
  const purge = (what: Parameters<typeof zone.connection.purgeCache>[1]) =>
    zone.connection.purgeCache(zone.zoneId, what, { priority: 'person' })
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
    // Also of what was cleared before the provider refused the rest.
    if (done > 0) await note({ files: done })
  }
  if (files === undefined) await note({ everything: true })
  return { success: true }

  function note(purged: Readonly<Record<string, unknown>>): Promise<void> {
    const entry = { action: 'update', entityType: 'zone', entityId: id, entityName: zone.name, ownerId: zone.ownerId } as const
    return audit(ctx.db.orm, ctx, { ...entry, details: { cache: purged } })
  }
}
