import { domainToASCII } from 'node:url'
import { isPossibleName } from '#shared/possible-host.ts'
import { stripEnd } from '#shared/text.ts'

const label = /^[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?$/
const topLevel = /^(?:[a-z]{2,63}|xn--[a-z0-9-]{1,59})$/

/** Checked label by label, because one pattern for all takes more than linear time. */
function isHostName(name: string): boolean {
  const labels = name.split('.')
  const last = labels.pop() ?? ''
  return labels.length > 0 && topLevel.test(last) && labels.every((each) => label.test(each))
}

/**
 * The domain name in typed or pasted text: a name, a URL or an email address, in Unicode or Punycode, in any case.
 * @returns lower-case Punycode without a final dot; null if there is no valid name in it.
 */
export function parseDomainName(given: string): string | null {
  const host = given
    .trim()
    .replace(/^[a-z][a-z0-9+.-]*:\/\//i, '')
    .replace(/[/?#].*/s, '')
    .replace(/^.*@/s, '')
    .replace(/:\d{1,5}$/, '')
    .replace(/^\*\./, '')
  const text = stripEnd(host, '.')
  // IDNA would decode or drop these characters and find a name that is not visible in the text. A soft hyphen is only for display.
  if (/[\s\p{C}<>%"'`\\]/u.test(text.replaceAll('\u00ad', ''))) return null
  const composed = text.normalize('NFC')
  const name = isPossibleName(composed) ? domainToASCII(composed) : ''
  return name.length <= 253 && isHostName(name) ? name : null
}

/** The search term of a partly typed name, in the form of `zones.search`; a pasted URL is reduced to its host name. */
export const searchTerm = (typed: string): string =>
  typed
    .trim()
    .normalize('NFC')
    .toLowerCase()
    .replace(/^[a-z][a-z0-9+.-]*:\/\//, '')
    .replace(/\/.*/s, '')
    // A final dot ends a complete name in DNS notation; after a single label another one may follow.
    .replace(/(\.[^.]+)\.$/, '$1')
