import type { HttpAnswer } from '#server/integrations/http/http-client.ts'

/** Fields that contain an error; for others the name is part of the message. */
const plain = new Set(['error', 'errors', 'message', 'detail', 'title', 'description'])

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' }

/** Decodes an HTML entity; invalid ones are unchanged. */
function written(whole: string, decimal: string | undefined, hex: string | undefined, name: string | undefined): string {
  if (name !== undefined) return entities[name.toLowerCase()] ?? whole
  const code = decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal)
  return code <= 0x10_ff_ff ? String.fromCodePoint(code) : whole
}

/** Maximum length that is searched: the URL is user input, and may return megabytes. */
const mostCharacters = 4_096

/**
 * The error message of a tracker: `{"error":"…"}`, `{"field":["…"]}`, or the title of a page; untruncated, because keys must be found in
 * it. Empty if there is none.
 */
export function wordsOf({ text }: HttpAnswer): string {
  const trimmed = text.slice(0, mostCharacters).trim()
  if (trimmed.startsWith('<'))
    return (
      /<title[^<>]*>([^<]*)/i
        .exec(trimmed)?.[1]
        ?.trim()
        .replaceAll(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z]+));/gi, written) ?? ''
    )
  try {
    return [...new Set(partsOf(JSON.parse(trimmed), 3))].join('; ')
  } catch {
    return trimmed
  }
}

/** @param depth maximum depth of the search */
function partsOf(content: unknown, depth: number): readonly string[] {
  if (typeof content === 'string') return content.trim() === '' ? [] : [content.trim()]
  if (typeof content !== 'object' || content === null || depth === 0) return []
  if (Array.isArray(content)) return content.flatMap((part) => partsOf(part, depth))
  return Object.entries(content).flatMap(([field, value]) => {
    const parts = partsOf(value, depth - 1)
    return plain.has(field) ? parts : parts.map((part) => `${field}: ${part}`)
  })
}
