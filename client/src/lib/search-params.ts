const uuid = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i

/** Omits undefined values: the router would keep such keys, and equal searches would differ. */
export const compact = <T extends object>(all: { [K in keyof T]: T[K] | undefined }): T =>
  Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined)) as T

/** The changes of a page to its URL; an undefined value removes the parameter. */
export type SearchPart<Search> = { [K in keyof Search]?: Search[K] | undefined }

/** Parses URL parameters of any content: an unknown value becomes undefined, so that an old or broken link still opens the page. */
export function searchParams(raw: unknown) {
  const given: Readonly<Record<string, unknown>> = typeof raw === 'object' && raw !== null ? Object.fromEntries(Object.entries(raw)) : {}
  /** The router has already parsed numbers and booleans; all of ours are strings. */
  const text = (key: string, longest = 255): string | undefined => {
    const value = given[key]
    const words = typeof value === 'string' ? value : typeof value === 'number' || typeof value === 'boolean' ? String(value) : ''
    return words.trim() === '' ? undefined : words.slice(0, longest)
  }
  /** Several values joined with dots, which need no escaping in a URL. */
  const ids = (key: string, most = 1_000): string | undefined => {
    const known = new Set(
      text(key, 37 * most)
        ?.split('.')
        .filter((id) => uuid.test(id)),
    )
    return known.size === 0 ? undefined : [...known].slice(0, most).join('.')
  }
  return {
    given,
    text,
    ids,
    id: (key: string): string | undefined => ids(key, 1),
    oneOf: <V extends string>(key: string, values: readonly V[]): V | undefined => values.find((each) => each === given[key]),
  }
}
