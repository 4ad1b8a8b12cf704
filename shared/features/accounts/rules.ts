import type { z } from 'zod'
import { email as emailSchema } from '#shared/features/auth/schema.ts'
import { accountPassword, apiKey as apiKeySchema } from './schema.ts'
import type { LineFault } from './schema.ts'

export interface AccountLine {
  /** Counted from 1, as in the editor. */
  readonly line: number
  readonly email: string
  readonly password: string | null
  readonly apiKey: string
}

interface ParsedAccountLines {
  readonly items: readonly AccountLine[]
  /** At most one per line, in line order. */
  readonly faults: readonly LineFault[]
}

type Fault = LineFault['message']
const faults = ['invalid_email', 'required', 'invalid_key'] as const satisfies readonly Fault[]

function faultOf(result: z.ZodSafeParseResult<string>): Fault | null {
  if (result.success) return null
  const message = result.error.issues[0]?.message
  if (message === 'too_long') return 'line_too_long'
  return faults.find((fault) => fault === message) ?? 'invalid_line_format'
}

const passwordFault = (password: string | null) => (password === null ? null : faultOf(accountPassword.safeParse(password)))

/** `email;password;globalApiKey`, all required, where the password may contain semicolons, or `email:apiKey`. */
function splitLine(text: string): { readonly email: string; readonly password: string | null; readonly apiKey: string } | null {
  const first = text.indexOf(';')
  if (first !== -1) {
    const last = text.lastIndexOf(';')
    if (last === first) return null
    return { email: text.slice(0, first), password: text.slice(first + 1, last), apiKey: text.slice(last + 1) }
  }
  const colon = text.indexOf(':')
  return colon === -1 ? null : { email: text.slice(0, colon), password: null, apiKey: text.slice(colon + 1) }
}

/** Parses pasted accounts, one per line, and skips blank lines. Returns all errors and all valid lines. */
export function parseAccountLines(text: string): ParsedAccountLines {
  const items: AccountLine[] = []
  const found: LineFault[] = []
  // A Cloudflare user has one global key, so two keys for one email cannot both be right.
  const keys = new Map<string, string>()
  const lines = text.replace(/^\uFEFF/, '').split(/\r\n|\n|\r/)
  for (const [index, raw] of lines.entries()) {
    if (raw.trim() === '') continue
    const line = index + 1
    const parts = splitLine(raw)
    if (parts === null) {
      found.push({ line, message: 'invalid_line_format' })
      continue
    }
    const email = emailSchema.safeParse(parts.email)
    const apiKey = apiKeySchema.safeParse(parts.apiKey)
    const fault = faultOf(email) ?? (parts.password?.trim() === '' ? 'required' : null) ?? faultOf(apiKey) ?? passwordFault(parts.password)
    if (fault !== null || !email.success || !apiKey.success) {
      found.push({ line, message: fault ?? 'invalid_line_format' })
      continue
    }
    const item = { line, email: email.data, password: parts.password, apiKey: apiKey.data }
    const earlier = keys.get(item.email)
    if (earlier !== undefined) {
      found.push({ line, message: earlier === item.apiKey ? 'duplicate_line' : 'email_with_other_key' })
      continue
    }
    keys.set(item.email, item.apiKey)
    items.push(item)
  }
  return { items, faults: found }
}
