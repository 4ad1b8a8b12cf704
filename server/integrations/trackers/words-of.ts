import type { HttpAnswer } from '#server/integrations/http/http-client.ts'

const longest = 500
/** Fields that are an error by themselves; of others the name is part of it. */
const plain = new Set(['error', 'errors', 'message', 'detail', 'title', 'description'])

/** What a tracker says of its refusal: `{"error":"…"}`, `{"field":["…"]}`, or the title of a page. Empty where it says nothing. */
export function wordsOf({ text }: HttpAnswer): string {
  const trimmed = text.trim()
  if (trimmed.startsWith('<')) return /<title[^>]*>([^<]*)/i.exec(trimmed)?.[1]?.trim().slice(0, longest) ?? ''
  try {
    return [...new Set(partsOf(JSON.parse(trimmed), 3))].join('; ').slice(0, longest)
  } catch {
    return trimmed.slice(0, longest)
  }
}

/** @param depth how far into it is looked */
function partsOf(content: unknown, depth: number): readonly string[] {
  if (typeof content === 'string') return content.trim() === '' ? [] : [content.trim()]
  if (typeof content !== 'object' || content === null || depth === 0) return []
  if (Array.isArray(content)) return content.flatMap((part) => partsOf(part, depth))
  return Object.entries(content).flatMap(([field, value]) => {
    const parts = partsOf(value, depth - 1)
    return plain.has(field) ? parts : parts.map((part) => `${field}: ${part}`)
  })
}
