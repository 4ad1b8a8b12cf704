import { domainToASCII } from 'node:url'
import { isPossibleName } from '#shared/possible-host.ts'
import { stripEnd } from '#shared/text.ts'

const label = /^[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?$/
const topLevel = /^(?:[a-z]{2,63}|xn--[a-z0-9-]{1,59})$/

/** Label by label: one pattern for all of them takes more than linear time. */
function isHostName(name: string): boolean {
  const labels = name.split('.')
  const last = labels.pop() ?? ''
  return labels.length > 0 && topLevel.test(last) && labels.every((each) => label.test(each))
}

/**
 * The domain name in what somebody typed or pasted: a name, a URL, an email address, in Unicode or Punycode, any case.
 * @returns Punycode, lower case, without a dot at the end; null where there is no valid name in it.
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
  // What IDNA would decode or leave out, so that a name is found that nobody sees there; a soft hyphen is for reading only.
  if (/[\s\p{C}<>%"'`\\]/u.test(text.replaceAll('\u00ad', ''))) return null
  const composed = text.normalize('NFC')
  const name = isPossibleName(composed) ? domainToASCII(composed) : ''
  return name.length <= 253 && isHostName(name) ? name : null
}

/** What somebody types to find part of a name, as `zones.search` has it; a pasted address is cut down to its name. */
export const searchTerm = (typed: string): string =>
  typed
    .trim()
    .normalize('NFC')
    .toLowerCase()
    .replace(/^[a-z][a-z0-9+.-]*:\/\//, '')
    .replace(/\/.*/s, '')
    // The end of a whole name as DNS writes it; after one label it may be the beginning of the next.
    .replace(/(\.[^.]+)\.$/, '$1')
