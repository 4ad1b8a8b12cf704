import { z } from 'zod'

const replaced = z.object({ find: z.string(), replace: z.string() })
const moved = z.object({ ipAddress: z.string() })

const longest = 60
const shortened = (text: string): string => (text.length > longest ? `${text.slice(0, longest - 1)}…` : text)

/** What a list says behind the kind of an operation: the address that is set, or which text takes the place of which. Null: the kind says it all. */
export function operationSubject(kind: string, input: unknown): string | null {
  if (kind === 'ip') return moved.safeParse(input).data?.ipAddress ?? null
  if (kind === 'dns_replace') {
    const { data } = replaced.safeParse(input)
    return data === undefined ? null : `${shortened(data.find)} → ${shortened(data.replace)}`
  }
  return null
}
