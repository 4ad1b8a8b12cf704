import { compact, searchParams } from '#client/lib/search-params.ts'

/** The URL parameters of the redirects page. */
interface RedirectsSearch {
  q?: string
  /** Absent: the first account. */
  account?: string
}

export function parseRedirectsSearch(raw: unknown): RedirectsSearch {
  const { text } = searchParams(raw)
  return compact<RedirectsSearch>({ q: text('q'), account: text('account', 36) })
}
