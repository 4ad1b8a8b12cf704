import type { z } from 'zod'

type Params = Readonly<Record<string, string | number>>

interface DescribedIssue {
  readonly path: readonly PropertyKey[]
  /** A key of the `validation` or `faults` namespace. */
  readonly message: string
  readonly params?: Params
}

const kinds: ReadonlySet<string> = new Set(['invalid_type', 'too_small', 'too_big', 'unrecognized_keys'])
const mostChoices = 40

/** The message key of an issue: the schema's own key, if it has one. The English texts of the schema library are never shown. */
export function issueKeyOf({
  message,
  code,
  path,
  ...issue
}: Pick<z.core.$ZodIssue, 'message' | 'code'> & {
  readonly path?: readonly PropertyKey[]
  readonly origin?: string
  readonly minimum?: number | bigint
}): string {
  if (/^[a-z0-9_]+$/.test(message)) return message
  if (code === 'invalid_type' && path?.length !== 0 && message.endsWith('received undefined')) return 'required'
  if (code === 'too_small' && Number(issue.minimum) === 1) {
    if (issue.origin === 'string') return 'empty'
    if (issue.origin === 'array' || issue.origin === 'set' || issue.origin === 'map') return 'none_selected'
  }
  return kinds.has(code) ? code : 'invalid_value'
}

const choices = (values: readonly unknown[]): string => {
  const listed = values.slice(0, mostChoices).map(String).join(', ')
  return values.length > mostChoices ? `${listed}, …` : listed
}

/** The accepted values; null if they are not a short list. */
function acceptedBy(issue: z.core.$ZodIssue): readonly unknown[] | null {
  if (issue.code === 'invalid_value') return issue.values
  if (issue.code !== 'invalid_union') return null
  if (issue.errors.length === 0) return 'options' in issue && Array.isArray(issue.options) ? issue.options : null
  const branches = issue.errors.map(([first, ...others]) =>
    first !== undefined && others.length === 0 && first.path.length === 0 ? acceptedBy(first) : null,
  )
  return branches.every((branch) => branch !== null) ? [...new Set(branches.flat())] : null
}

/**
 * For a union, the issues of the most likely shape: the one that has the given fields and no missing ones, or for a value the only one that is
 * not a constant (`''` or an address).
 */
function meantOf(branches: readonly (readonly z.core.$ZodIssue[])[]): readonly z.core.$ZodIssue[] | null {
  const [value, another] = branches.filter(([first]) => first?.code !== 'invalid_value')
  if (
    branches.length > 1 &&
    value !== undefined &&
    another === undefined &&
    value.every(({ path, code }) => path.length === 0 && code !== 'invalid_type')
  )
    return value
  const strange = (issues: readonly z.core.$ZodIssue[]) =>
    issues.filter(({ code, path }) => code === 'unrecognized_keys' || (code === 'invalid_type' && path.length <= 1)).length
  const [best, next] = branches.map((issues) => ({ issues, strange: strange(issues) })).toSorted((a, b) => a.strange - b.strange)
  return best !== undefined &&
    best.strange === 0 &&
    (next === undefined || next.strange > 0) &&
    best.issues.some(({ path }) => path.length > 0)
    ? best.issues
    : null
}

/** Converts an issue of the schema library to message keys; a misspelled field or a union can yield several. */
export function describeIssue(issue: z.core.$ZodIssue): DescribedIssue[] {
  const { path } = issue
  const message = issueKeyOf(issue)
  if (issue.code === 'unrecognized_keys') return issue.keys.map((name) => ({ path: [...path, name], message }))
  if (message === 'invalid_value') {
    const values = acceptedBy(issue)
    if (values !== null && values.length > 0) return [{ path, message: 'invalid_choice', params: { values: choices(values) } }]
    const meant = issue.code === 'invalid_union' ? meantOf(issue.errors) : null
    if (meant !== null) return meant.flatMap(describeIssue).map((each) => ({ ...each, path: [...path, ...each.path] }))
  }
  if ('maximum' in issue) return [{ path, message, params: { max: Number(issue.maximum) } }]
  if ('minimum' in issue) return [{ path, message, params: { min: Number(issue.minimum) } }]
  return [{ path, message, ...(issue.code === 'custom' && issue.params !== undefined && { params: issue.params as Params }) }]
}
