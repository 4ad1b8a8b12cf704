import { z } from 'zod'
import { AppError } from '#shared/errors/app-error.ts'

const place = z.tuple([z.iso.datetime(), z.uuid()])

/**
 * The position after which a list by time and id continues, from a cursor `<time>_<id>`.
 * @throws AppError validation_failed if the cursor is invalid
 */
export function readTimeCursor(text: string | undefined): { at: string; id: string } | null {
  if (text === undefined) return null
  const parsed = place.safeParse(text.split('_'))
  if (!parsed.success) {
    throw new AppError('validation_failed', { issues: [{ path: 'cursor', message: 'invalid_cursor' }], cause: parsed.error })
  }
  const [at, id] = parsed.data
  return { at, id }
}
