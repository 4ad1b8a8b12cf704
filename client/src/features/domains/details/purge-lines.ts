/** A line of a pasted list: the address it means, or what is wrong with it. */
type PurgeLine = { number: number; url: string } | { number: number; fault: 'invalid' | 'foreign' }

/** The most addresses that one call takes. */
export const mostUrls = 1_000

/** Whole addresses, addresses without `https://`, and paths of the domain itself; empty lines are left out, repeated ones too. */
export function readPurgeLines(text: string, domain: string): PurgeLine[] {
  const seen = new Set<string>()
  return text.split('\n').flatMap((line, index): PurgeLine[] => {
    const given = line.trim()
    if (given === '') return []
    const number = index + 1
    const whole = given.startsWith('/') ? `https://${domain}${given}` : /^https?:\/\//i.test(given) ? given : `https://${given}`
    if (!URL.canParse(whole) || /\s/.test(given) || /^[a-z]+:\/\//i.test(given) !== /^https?:/i.test(given))
      return [{ number, fault: 'invalid' }]
    const url = new URL(whole)
    if (url.hostname !== domain && !url.hostname.endsWith(`.${domain}`)) return [{ number, fault: 'foreign' }]
    if (seen.has(url.href)) return []
    seen.add(url.href)
    return [{ number, url: url.href }]
  })
}
