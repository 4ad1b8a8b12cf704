import type { z } from 'zod'
import { describeIssue } from '#shared/errors/describe-issues.ts'

interface FormIssue {
  readonly path: string
  readonly message: string
  readonly params?: Readonly<Record<string, string | number>>
}

/** What is said of a shape or a size, and of an empty field only says that it is empty. A schema's rule between fields keeps its own text. */
const aboutShape = /^(?:invalid_|too_small$|in_the_past$|monitoring_(?:number|statuses)$|status_slug$)/

const valueAt = (values: unknown, path: readonly PropertyKey[]): unknown =>
  path.reduce<unknown>(
    (value, key) => (typeof value === 'object' && value !== null ? (value as Record<PropertyKey, unknown>)[key] : undefined),
    values,
  )
const isEmpty = (value: unknown): boolean =>
  value === undefined ||
  value === null ||
  (typeof value === 'string' && value.trim() === '') ||
  (Array.isArray(value) && value.length === 0)

/** The first issue of each field of a form: of an empty one, that it is required (R-I18-04). */
export function formIssues(issues: readonly z.core.$ZodIssue[], values: unknown): FormIssue[] {
  const found = new Map<string, FormIssue>()
  for (const { path, ...issue } of issues.flatMap(describeIssue)) {
    const name = path.join('.')
    if (found.has(name)) continue
    // A field may be called as the server calls it, with dots.
    const value = name in Object(values) ? (values as Record<string, unknown>)[name] : valueAt(values, path)
    found.set(name, aboutShape.test(issue.message) && isEmpty(value) ? { path: name, message: 'required' } : { path: name, ...issue })
  }
  return [...found.values()]
}
