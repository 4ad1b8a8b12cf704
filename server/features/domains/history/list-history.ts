import type { z } from 'zod'
import { requireZone } from '../access/open-zone.ts'
import type { Ctx } from '#server/platform/context.ts'
import { readTimeCursor } from '#server/platform/time-cursor.ts'
import type { listHistoryInput, listHistoryOutput, ZoneChange } from '#shared/features/domains/history/schema.ts'
import { listEntries } from './history.repo.ts'

/**
 * The changes of a domain, newest first.
 * @throws AppError not_found for an unknown zone or one without access
 */
export async function listHistory(ctx: Ctx, input: z.output<typeof listHistoryInput>): Promise<z.output<typeof listHistoryOutput>> {
  const { id, cursor, limit, ...filter } = input
  const after = readTimeCursor(cursor)
  await requireZone(ctx, id, 'view')
  return toPage(await listEntries(ctx.db.orm, id, { ...filter, after, limit: limit + 1 }), limit)
}

/** @param entries one more than fits the page, if there are so many */
export function toPage(entries: ZoneChange[], limit: number): z.output<typeof listHistoryOutput> {
  const page = entries.slice(0, limit)
  const last = page.at(-1)
  return { entries: page, nextCursor: entries.length > limit && last !== undefined ? `${last.at}_${last.id}` : null }
}
