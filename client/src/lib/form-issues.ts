import type { z } from 'zod'
import { describeIssue } from '#shared/errors/describe-issues.ts'

interface FormIssue {
  readonly path: string
  readonly message: string
  readonly params?: Readonly<Record<string, string | number>>
}

/** Issues about format or size, which for an empty field only mean that it is required. Cross-field rules keep their own text. */
const aboutShape = /^(?:invalid_|too_small$|empty$|none_selected$|in_the_past$|monitoring_(?:number|statuses)$|status_slug$)/

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

/** The first issue of each field; an empty field is reported as required (R-I18-04). */
export function formIssues(issues: readonly z.core.$ZodIssue[], values: unknown): FormIssue[] {
  const found = new Map<string, FormIssue>()
  for (const { path, ...issue } of issues.flatMap(describeIssue)) {
    const name = path.join('.')
    if (found.has(name)) continue
    // A field name may contain dots, like the server's.
    const value = name in Object(values) ? (values as Record<string, unknown>)[name] : valueAt(values, path)
    found.set(name, aboutShape.test(issue.message) && isEmpty(value) ? { path: name, message: 'required' } : { path: name, ...issue })
  }
  return [...found.values()]
}
