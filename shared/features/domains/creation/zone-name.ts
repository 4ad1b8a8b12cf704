import { parse } from 'tldts'
import { isPossibleName } from '#shared/possible-host.ts'

const label = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?'
const domainName = new RegExp(`^(?:${label}\\.)+(?:[a-z]{2,63}|xn--[a-z0-9-]{1,59})$`)

/** Why a text is not a valid name of a new zone: a key of the `validation` namespace. */
export type ZoneNameFault = 'domain_is_url' | 'domain_invalid' | 'domain_is_suffix' | 'domain_is_subdomain' | 'domain_not_registrable'

/**
 * Normalizes the name of a zone to be added, in Unicode or Punycode and any case, to Punycode in lower case. Below a known public suffix it must
 * be a registrable name; the provider checks whether it is registered.
 */
export function parseZoneName(given: string): { readonly name: string } | { readonly fault: ZoneNameFault } {
  const text = given.trim().normalize('NFC').replace(/\.$/, '')
  if (/[/@:?#]/.test(text)) return { fault: 'domain_is_url' }
  if (text === '' || /[\s\p{C}<>%"'`\\*_[\]|^]/u.test(text)) return { fault: 'domain_invalid' }
  const name = isPossibleName(text) ? toAscii(text) : null
  if (name === null || name.length > 253 || !domainName.test(name)) return { fault: 'domain_invalid' }
  const { domain, publicSuffix, isIcann } = parse(name, { extractHostname: false })
  if (isIcann !== true) return { fault: 'domain_not_registrable' }
  if (publicSuffix === name) return { fault: 'domain_is_suffix' }
  // Some private suffixes sell names too (`msk.ru`, `co.com`).
  const own = domain === name || parse(name, { extractHostname: false, allowPrivateDomains: true }).domain === name
  const www = name.startsWith('www.') && name.split('.').length > 2
  return !own || www ? { fault: 'domain_is_subdomain' } : { name }
}

/** Only in the URL of a site do browsers write Punycode as well. */
function toAscii(text: string): string | null {
  return URL.canParse(`http://${text}`) ? new URL(`http://${text}`).hostname : null
}

/** The registrable part of a zone's name: `example.co.uk` for `shop.example.co.uk`. Below a private suffix (`msk.ru`) it is the name itself. */
export const registrableName = (name: string): string => parse(name, { extractHostname: false, allowPrivateDomains: true }).domain ?? name
