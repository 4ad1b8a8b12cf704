/** A line of a pasted list: its URL or its error. */
type PurgeLine = { number: number; url: string } | { number: number; fault: 'invalid' | 'foreign' }

/** The most URLs in one call. */
export const mostUrls = 1_000

/** Accepts full URLs, URLs without `https://`, and paths of the domain; skips empty and repeated lines. */
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
