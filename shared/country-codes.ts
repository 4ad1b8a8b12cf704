/** Unions, parts of countries and codes without a territory, which have names too. */
const notCountries: ReadonlySet<string> = new Set(['AC', 'CP', 'CQ', 'DG', 'EA', 'EU', 'EZ', 'IC', 'QO', 'TA', 'UN', 'XA', 'XB', 'ZZ'])
/** Cloudflare's code of the Tor network. */
export const torCountry = 'T1'
/** Cloudflare's code of visitors whose country is not known. */
export const unknownCountry = 'XX'

let regionNames: Intl.DisplayNames | null = null

/** Whether it is the code of a present country of ISO 3166-1 (or Kosovo, `XK`), in upper case. */
export function isCountryCode(code: string): boolean {
  if (!/^[A-Z]{2}$/.test(code) || notCountries.has(code)) return false
  regionNames ??= new Intl.DisplayNames('en', { type: 'region', fallback: 'none' })
  // Former and reserved codes such as UK stand for another one.
  return regionNames.of(code) !== undefined && new Intl.Locale(`und-${code}`).maximize().region === code
}
