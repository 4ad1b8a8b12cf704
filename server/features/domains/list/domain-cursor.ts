import { z } from 'zod'
import { AppError } from '#shared/errors/app-error.ts'
import type { DomainSort } from '#shared/features/domains/schema.ts'

/** The position of the last row of a page in the sort order. */
export interface DomainKey {
  /** The sort value; for a sort by name, the name. */
  readonly value: string | number
  readonly name: string
  readonly id: string
}

const place = { direction: z.enum(['asc', 'desc']), name: z.string().max(300), id: z.uuid() }
const cursor = z.discriminatedUnion('by', [
  z.object({ by: z.enum(['name', 'account']), value: z.string().max(300), ...place }),
  z.object({ by: z.enum(['status', 'sslMode', 'securityLevel', 'health', 'recordsCount']), value: z.int32(), ...place }),
  z.object({ by: z.enum(['createdAt', 'updatedAt']), value: z.iso.datetime(), ...place }),
  z.object({ by: z.literal('paidUntil'), value: z.union([z.iso.datetime(), z.literal('infinity')]), ...place }),
])

export const writeCursor = (sort: DomainSort, key: DomainKey): string =>
  Buffer.from(JSON.stringify({ ...sort, ...key })).toString('base64url')

/** @throws AppError validation_failed if the cursor is invalid or belongs to another order. */
export function readCursor(sort: DomainSort, text: string): DomainKey {
  const faulty = (cause?: unknown) => new AppError('validation_failed', { issues: [{ path: 'cursor', message: 'invalid_cursor' }], cause })
  let json: unknown
  try {
    json = JSON.parse(Buffer.from(text, 'base64url').toString())
  } catch (error) {
    throw faulty(error)
  }
  const parsed = cursor.safeParse(json)
  if (!parsed.success || parsed.data.by !== sort.by || parsed.data.direction !== sort.direction) throw faulty(parsed.error)
  const { value, name, id } = parsed.data
  if (name.includes('\0') || (typeof value === 'string' && value.includes('\0'))) throw faulty()
  return { value, name, id }
}
