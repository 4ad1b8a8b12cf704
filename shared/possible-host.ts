import { z } from 'zod'

// To write a name in Punycode takes time by the square of its labels' length: half a second for 10,000 Chinese characters, which stops everything
// else in the process. So what is too long to be a name is refused before it is converted.

/** In UTF-16 units; more than a name of 253 characters can take in Unicode, with accents apart. */
const longestName = 1_000
const longestLabel = 128
const longestHost = 300

/** Whether a text is short enough, and so are its labels, to be the name of a host. */
export const isPossibleName = (text: string): boolean =>
  text.length <= longestName && text.split(/[.。．｡]/).every((label) => label.length <= longestLabel)

/** Whether the host in an address may be one; there is none in an address that is relative to a host. */
export function hasPossibleHost(address: string): boolean {
  const scheme = /^\s*[a-z][a-z0-9+.-]*:/i.exec(address)?.[0] ?? ''
  const rest = address.slice(scheme.length).trimStart()
  if (scheme === '' && !/^[\\/]{2}/.test(rest)) return true
  const [, authority = ''] = /^[\\/]*([^\\/?#]*)/.exec(rest) ?? []
  const host = authority.slice(authority.lastIndexOf('@') + 1)
  // Three escaped bytes are one character of those that take long.
  const escaped = host.split('%').length - 1
  return host.length - 3 * escaped + Math.ceil(escaped / 3) <= longestHost
}

/** An address on the web, as people fill it in. */
export const webAddress = (error: string, most = 2_048) =>
  z
    .string()
    .max(most, { error: 'too_long', abort: true })
    .refine(hasPossibleHost, { error, abort: true })
    .check(z.url({ protocol: /^https?$/, error }))
