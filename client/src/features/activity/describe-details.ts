/** One thing that an entry tells: what it changed from something to something, or what else there is to say. */
export type Detail = { kind: 'change'; key: string; from: unknown; to: unknown } | { kind: 'value'; key: string; value: unknown }

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Told in other places, or only of use to the panel. */
const silent = new Set(['operation', 'part', 'source', 'asked', 'input'])
const isNothing = (key: string, value: unknown): boolean =>
  silent.has(key) ||
  value === undefined ||
  value === null ||
  value === '' ||
  ((key === 'created' || key === 'updated' || key === 'deleted' || key === 'gone') && value === 0)

/** The details of an entry, one by one. */
export function describeDetails(details: Readonly<Record<string, unknown>>): Detail[] {
  const { before, after, ...rest } = details
  const sides: Detail[] =
    isObject(before) && isObject(after)
      ? [...new Set([...Object.keys(before), ...Object.keys(after)])].map((key) => ({
          kind: 'change',
          key,
          from: before[key],
          to: after[key],
        }))
      : []
  const others = Object.entries(rest).flatMap(([key, value]): Detail[] => {
    if (isNothing(key, value)) return []
    if (!isObject(value)) return [{ kind: 'value', key, value }]
    if ('from' in value && 'to' in value) {
      const { from, to, ...more } = value
      // Whose access it was stands beside what became of it.
      return [{ kind: 'change', key, from, to }, ...describeDetails(more)]
    }
    return key === 'cache' ? describeDetails(value) : [{ kind: 'value', key, value }]
  })
  return [...sides, ...others]
}
