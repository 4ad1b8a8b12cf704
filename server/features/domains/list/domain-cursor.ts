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

const text = z.string().max(300)
const time = z.iso.datetime()
/** The sort value of each order. */
const sortValues: Readonly<Record<DomainSort['by'], z.ZodType<string | number>>> = {
  name: text,
  account: text,
  status: z.int32(),
  sslMode: z.int32(),
  securityLevel: z.int32(),
  health: z.int32(),
  recordsCount: z.int32(),
  requests: z.number(),
  createdAt: time,
  updatedAt: time,
  paidUntil: z.union([time, z.literal('infinity')]),
}
const createCursor = (sort: DomainSort) =>
  z.object({ by: z.literal(sort.by), direction: z.literal(sort.direction), value: sortValues[sort.by], name: text, id: z.uuid() })

const cursors = new Map<string, ReturnType<typeof createCursor>>()

/** Building a schema takes longer than reading a page. */
function cursorOf(sort: DomainSort) {
  const key = `${sort.by} ${sort.direction}`
  const cursor = cursors.get(key) ?? createCursor(sort)
  cursors.set(key, cursor)
  return cursor
}

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
  const parsed = cursorOf(sort).safeParse(json)
  if (!parsed.success) throw faulty(parsed.error)
  const { value, name, id } = parsed.data
  if (name.includes('\0') || (typeof value === 'string' && value.includes('\0'))) throw faulty()
  return { value, name, id }
}
