import { z } from 'zod'

// Converting a name to Punycode takes quadratic time in the length of its labels: half a second for 10,000 Chinese characters, which blocks the
// process. So overlong names are rejected before the conversion.

/** In UTF-16 units; more than a Unicode name of 253 characters can take, including combining accents. */
const longestName = 1_000
const longestLabel = 128
const longestHost = 300

/** Whether the text and its labels are short enough for a host name. */
export const isPossibleName = (text: string): boolean =>
  text.length <= longestName && text.split(/[.。．｡]/).every((label) => label.length <= longestLabel)

/** Whether the host of a URL is possible; a URL relative to a host has none. */
export function hasPossibleHost(address: string): boolean {
  const scheme = /^\s*[a-z][a-z0-9+.-]*:/i.exec(address)?.[0] ?? ''
  const rest = address.slice(scheme.length).trimStart()
  if (scheme === '' && !/^[\\/]{2}/.test(rest)) return true
  const [, authority = ''] = /^[\\/]*([^\\/?#]*)/.exec(rest) ?? []
  const host = authority.slice(authority.lastIndexOf('@') + 1)
  // Three escaped bytes are one of the characters that are slow to convert.
  const escaped = host.split('%').length - 1
  return host.length - 3 * escaped + Math.ceil(escaped / 3) <= longestHost
}

/** A web address as entered. */
export const webAddress = (error: string, most = 2_048) =>
  z
    .string()
    .max(most, { error: 'too_long', abort: true })
    .refine(hasPossibleHost, { error, abort: true })
    .check(z.url({ protocol: /^https?$/, error }))
