import { parse } from 'tldts'

/** The registrable part of a zone's name: `example.co.uk` for `shop.example.co.uk`. Below a private suffix (`msk.ru`) it is the name itself. */
export const registrableName = (name: string): string => parse(name, { extractHostname: false, allowPrivateDomains: true }).domain ?? name
