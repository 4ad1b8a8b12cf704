import { domainToASCII } from 'node:url'
import { z } from 'zod'
import { isPossibleName } from '#shared/possible-host.ts'

// Trackers report the same problem in many forms, which vary by version, or omit it.
const whatever = z.unknown().optional()

/** Maximum length of an id or name; longer values count as absent. */
const longest = { id: 255, name: 253, words: 2_000 }
const largestCount = 2 ** 31 - 1
/** Maximum entries of a list; no tracker has that many domains. */
const mostRows = 100_000

/** The maximum stored length of a text. */
const isPlain = (text: string): boolean => text.isWellFormed() && !text.includes('\0')

/** As text; empty values and 0 count as absent. */
export const optionalId = whatever.transform((value) => {
  const text = typeof value === 'string' || typeof value === 'number' ? String(value).trim() : ''
  return text === '' || text === '0' || text.length > longest.id || !isPlain(text) ? null : text
})
export const id = z.union([z.string().trim().min(1).max(longest.id).refine(isPlain), z.number()]).transform(String)

/** A text, or an object that contains one. */
export const optionalText = whatever.transform(textOf)

export const optionalFlag = whatever.transform((value) => {
  if (value === true || value === 1 || value === '1' || value === 'true') return true
  return value === false || value === 0 || value === '0' || value === 'false' ? false : null
})

export const optionalCount = whatever.transform((value) => {
  const count = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
  return typeof count === 'number' && Number.isInteger(count) && count >= 0 ? Math.min(count, largestCount) : null
})

/** Punycode, lower case; unchanged if it is not a name. */
export const hostName = z
  .string()
  .trim()
  .min(1)
  .refine(isPossibleName, { abort: true })
  .transform((name) => {
    const plain = name.toLowerCase().replace(/\.$/, '')
    return domainToASCII(plain) || plain
  })
  .refine((name) => name.length <= longest.name && isPlain(name))

/**
 * Rows as an array, under a name, by number as in PHP, or a single one. Unreadable rows are skipped; if none is readable, it is not a list.
 */
export const rowsOf = <S extends z.ZodType>(row: S) =>
  z.unknown().transform((content, context): z.output<S>[] => {
    const rows = unwrap(content)
    // Millions of unreadable rows would take a minute.
    const read =
      rows === null || rows.length > mostRows
        ? null
        : rows.flatMap((one) => {
            const parsed = row.safeParse(one)
            return parsed.success ? [parsed.data] : []
          })
    if (rows === null || read === null || (rows.length > 0 && read.length === 0)) {
      context.addIssue({ code: 'custom', message: 'no list' })
      return z.NEVER
    }
    return read
  })

const wrappers = ['data', 'domains', 'campaigns', 'groups', 'items', 'list', 'rows']

function unwrap(content: unknown): readonly unknown[] | null {
  if (Array.isArray(content)) return content as readonly unknown[]
  if (typeof content !== 'object' || content === null) return null
  const fields = new Map<string, unknown>(Object.entries(content))
  if (fields.has('id')) return [content]
  for (const name of wrappers) {
    const inner = fields.get(name)
    if (Array.isArray(inner)) return inner as readonly unknown[]
    if (typeof inner === 'object' && inner !== null) return unwrap(inner)
  }
  const values = [...fields.values()]
  return values.length > 0 && [...fields.keys()].every((key) => /^\d+$/.test(key)) ? values : null
}

function textOf(value: unknown): string | null {
  if (typeof value === 'string') {
    const words = value.replaceAll('\0', '').trim().slice(0, longest.words).toWellFormed()
    return words === '' ? null : words
  }
  if (typeof value === 'number') return String(value)
  if (Array.isArray(value)) return value.map(textOf).find((text) => text !== null) ?? null
  if (typeof value !== 'object' || value === null) return null
  const { error, message, description } = value as Readonly<Record<string, unknown>>
  return textOf(error) ?? textOf(message) ?? textOf(description)
}
