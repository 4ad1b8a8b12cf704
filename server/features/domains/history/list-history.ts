import { z } from 'zod'
import { requireZone } from '../access/open-zone.ts'
import type { Ctx } from '#server/platform/context.ts'
import { AppError } from '#shared/errors/app-error.ts'
import type { listHistoryInput, listHistoryOutput } from '#shared/features/domains/history/schema.ts'
import { listEntries } from './history.repo.ts'

const place = z.tuple([z.iso.datetime(), z.uuid()])

/** @throws AppError validation_failed if the cursor is invalid. */
function readCursor(text: string) {
  const parsed = place.safeParse(text.split('_'))
  if (!parsed.success) {
    throw new AppError('validation_failed', { issues: [{ path: 'cursor', message: 'invalid_cursor' }], cause: parsed.error })
  }
  const [at, id] = parsed.data
  return { at, id }
}

/**
 * The changes of a domain, newest first.
 * @throws AppError not_found for an unknown zone or one without access
 */
export async function listHistory(ctx: Ctx, input: z.output<typeof listHistoryInput>): Promise<z.output<typeof listHistoryOutput>> {
  const { id, cursor, limit, ...filter } = input
  const after = cursor === undefined ? null : readCursor(cursor)
  await requireZone(ctx, id, 'view')
  const entries = await listEntries(ctx.db.orm, id, { ...filter, after, limit: limit + 1 })
  const page = entries.slice(0, limit)
  const last = page.at(-1)
  return { entries: page, nextCursor: entries.length > limit && last !== undefined ? `${last.at}_${last.id}` : null }
}
