import type { z } from 'zod'
import { openZone } from '../access/open-zone.ts'
import type { Ctx } from '#server/platform/context.ts'
import { AppError } from '#shared/errors/app-error.ts'
import type { trafficOutput } from '#shared/features/domains/settings/schema.ts'
import { datesUntil } from './read-traffic.ts'

/**
 * Visits of the last 30 days including today. If the key may not read them or the provider does not answer, the answer contains the reason.
 * @throws AppError not_found
 */
export async function getTraffic(ctx: Ctx, id: string): Promise<z.infer<typeof trafficOutput>> {
  const zone = await openZone(ctx, id, 'view')
  const dates = datesUntil(ctx.clock.now())
  const range = { from: dates[0] ?? '', to: dates.at(-1) ?? '' }
  try {
    const traffic = await zone.connection.traffic([zone.providerZoneId], range, { priority: 'person' })
    return { days: [...(traffic.get(zone.providerZoneId) ?? [])], unavailable: null }
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return { days: [], unavailable: { code: error.code, message: error.provider?.message ?? null } }
  }
}
