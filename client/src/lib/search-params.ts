const uuid = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i

/** Leaves out what is undefined: the router would keep such keys in the state, and equal searches would differ. */
export const compact = <T extends object>(all: { [K in keyof T]: T[K] | undefined }): T =>
  Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined)) as T

/** What a page changes in its address; what is undefined is taken away. */
export type SearchPart<Search> = { [K in keyof Search]?: Search[K] | undefined }

/** Reads the parts of an address, whatever they are: what is not understood is undefined, so an old or broken link still opens the page. */
export function searchParams(raw: unknown) {
  const given: Readonly<Record<string, unknown>> = typeof raw === 'object' && raw !== null ? Object.fromEntries(Object.entries(raw)) : {}
  /** The router has read numbers and booleans out of the address already; all of ours are words. */
  const text = (key: string, longest = 255): string | undefined => {
    const value = given[key]
    const words = typeof value === 'string' ? value : typeof value === 'number' || typeof value === 'boolean' ? String(value) : ''
    return words.trim() === '' ? undefined : words.slice(0, longest)
  }
  /** Several joined by dots, which an address need not escape. */
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
