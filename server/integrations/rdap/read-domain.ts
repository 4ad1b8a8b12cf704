import { domainToASCII } from 'node:url'
import { z } from 'zod'
import type { Registration } from '#server/ports/registry.ts'
import * as wire from './wire.ts'

/** Without control characters. */
const printable = (text: string): string => text.replace(/\p{Cc}+/gu, ' ').trim()
const plain = (host: string): string => host.toLowerCase().replace(/\.$/, '')

/** Without a time zone it is UTC, as registries count. */
function toDate(text: string): Date | null {
  const zoned = /(?:z|[+-]\d{2}:?\d{2})$/i.test(text) || !text.includes('T') ? text : `${text}Z`
  const date = new Date(zoned)
  const year = date.getUTCFullYear()
  // Some registries write 9999 for no expiry.
  return Number.isNaN(year) || year < 1985 || year > 2200 ? null : date
}

const card = z.tuple([z.literal('vcard'), z.array(z.unknown())], z.unknown())
const fullName = z.tuple([z.literal('fn'), z.unknown(), z.unknown(), z.string()], z.unknown())

function nameOf({ vcardArray, handle }: wire.Entity): string | null {
  const parsed = card.safeParse(vcardArray)
  for (const property of parsed.success ? parsed.data[1] : []) {
    const found = fullName.safeParse(property)
    const text = found.success ? printable(found.data[3]) : ''
    if (text !== '') return text.slice(0, 200)
  }
  return handle === undefined || handle === null ? null : printable(handle).slice(0, 200)
}

/**
 * The data of a name in a response.
 * @throws for a response that is no registration, or of another name
 */
export function readDomain(text: string, name: string): Registration {
  const { ldhName, status, events, entities, nameservers } = wire.domain.parse(JSON.parse(text))
  // Some registries use the Unicode form.
  if (typeof ldhName === 'string' && domainToASCII(plain(ldhName)) !== name) throw new Error(`a response about ${ldhName.slice(0, 253)}`)
  const end = events.find(({ eventAction }) => eventAction.toLowerCase() === 'expiration')
  const registrar = entities.find(({ roles }) => roles.includes('registrar'))
  return {
    state: 'found',
    expiresAt: end === undefined ? null : toDate(end.eventDate),
    statuses: status.map((each) => printable(each).toLowerCase().slice(0, 100)).slice(0, 30),
    registrar: registrar === undefined ? null : nameOf(registrar),
    nameServers: [...new Set(nameservers.map(({ ldhName: host }) => printable(plain(host)).slice(0, 253)))].toSorted().slice(0, 30),
  }
}
