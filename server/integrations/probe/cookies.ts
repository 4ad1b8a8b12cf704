const mostCookies = 20
const longestCookie = 4_096

/** Cookies within one check: many sites redirect a visitor once to test for cookies. */
export function createCookies() {
  const jar = new Map<string, Map<string, string>>()
  return {
    /** As `Cookie` header; null: none. */
    of(host: string): string | null {
      const kept = jar.get(host)
      return kept === undefined || kept.size === 0 ? null : [...kept].map(([name, value]) => `${name}=${value}`).join('; ')
    },
    /** Sent back to the same host only. */
    keep(host: string, set: readonly string[] | undefined): void {
      if (set === undefined) return
      const kept = jar.get(host) ?? new Map<string, string>()
      jar.set(host, kept)
      for (const line of set) {
        const [, name, value] = /^\s*([^=;\s]+)=([^;]*)/.exec(line) ?? []
        if (name === undefined || value === undefined || line.length > longestCookie) continue
        if (kept.has(name) || kept.size < mostCookies) kept.set(name, value.trim())
      }
    },
  }
}
