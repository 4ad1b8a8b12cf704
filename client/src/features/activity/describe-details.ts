import { activityChoices, silentActivityFields, type ActivityChoice } from '#shared/features/activity/details.ts'

const all: Readonly<Partial<Record<string, readonly ActivityChoice[]>>> = activityChoices

/** Null for free text: a name that is `all` is not translated. */
export const choiceOf = (key: string, value: unknown): ActivityChoice | null => all[key]?.find((each) => each === value) ?? null

/** One change of an entry: from one value to another, or a further detail. */
export type Detail = { kind: 'change'; key: string; from: unknown; to: unknown } | { kind: 'value'; key: string; value: unknown }

type Fields = Readonly<Record<string, unknown>>

const isObject = (value: unknown): value is Fields => typeof value === 'object' && value !== null && !Array.isArray(value)
const isOneOf = (keys: readonly string[], key: string) => keys.includes(key)

const isNothing = (key: string, value: unknown): boolean =>
  isOneOf(silentActivityFields, key) ||
  value === undefined ||
  value === null ||
  value === '' ||
  (isOneOf(['created', 'updated', 'deleted', 'gone'], key) && value === 0)

/** Objects whose fields are separate details; other objects are one value, such as a resource with its name. */
const groups = ['notifications', 'notices', 'options', 'monitoring', 'maintenance', 'cache']

/** The differences, field by field. */
function changesBetween(before: Fields, after: Fields): Detail[] {
  return [...new Set([...Object.keys(before), ...Object.keys(after)])].flatMap((key) => {
    const [from, to] = [before[key], after[key]]
    return JSON.stringify(from) === JSON.stringify(to) ? [] : changeOf(key, from, to)
  })
}

function changeOf(key: string, from: unknown, to: unknown): Detail[] {
  const sides = [from ?? {}, to ?? {}]
  return isOneOf(groups, key) && (isObject(from) || isObject(to)) && sides.every(isObject)
    ? changesBetween(sides[0] as Fields, sides[1] as Fields)
    : [{ kind: 'change', key, from, to }]
}

/** The details of an entry, one by one. */
export function describeDetails(details: Fields): Detail[] {
  const { before, after, ...rest } = details
  const sides = isObject(before) && isObject(after) ? changesBetween(before, after) : []
  const others = Object.entries(rest).flatMap(([key, value]): Detail[] => {
    if (isObject(value) && isOneOf(groups, key) && !('from' in value && 'to' in value)) return describeDetails(value)
    if (isNothing(key, value)) return []
    if (!isObject(value) || !('from' in value && 'to' in value)) return [{ kind: 'value', key, value }]
    const { from, to, ...more } = value
    // The user is shown beside the old and new access level.
    return [...changeOf(key, from, to), ...describeDetails(more)]
  })
  return [...sides, ...others]
}
