import type { z } from 'zod'

const kinds: ReadonlySet<string> = new Set(['invalid_type', 'too_small', 'too_big', 'unrecognized_keys'])

/**
 * The key in the `validation` namespace that tells of a schema's issue. The schema library's own English is nobody's language:
 * where a schema gave no words of ours, its kind of fault has them.
 */
export function issueKeyOf({ message, code }: Pick<z.core.$ZodIssue, 'message' | 'code'>): string {
  if (/^[a-z0-9_]+$/.test(message)) return message
  return kinds.has(code) ? code : 'invalid_value'
}
