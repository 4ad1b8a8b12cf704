import { parse } from 'tldts'

/** What somebody registered of a zone's name: `example.co.uk` for `shop.example.co.uk`. Below a suffix where others than registries give names (`msk.ru`) the name itself. */
export const registrableName = (name: string): string => parse(name, { extractHostname: false, allowPrivateDomains: true }).domain ?? name
