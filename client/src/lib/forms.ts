import { useState } from 'react'
import type { z } from 'zod'
import { fieldErrors, issueText } from './errors.ts'
import { formIssues } from './form-issues.ts'
import { i18next } from './i18n.ts'
import { toast } from './toast.ts'

type Values = Record<string, unknown>

export interface Form<T extends Values> {
  values: T
  /** Field → text, in the user's language. */
  errors: Record<string, string>
  /** An error without a field. */
  refusal: string | null
  refuse: (text: string | null) => void
  submitting: boolean
  set: <K extends keyof T>(field: K, value: T[K]) => void
  /** Sets several fields together. */
  merge: (values: Partial<T>) => void
  /** The props of a text input. */
  text: (field: keyof T & string) => {
    name: string
    value: string
    error: string | undefined
    onChange: (event: { currentTarget: { value: string } }) => void
  }
  /** Of this form only, because a dialog may have been opened in another one. */
  submit: (event?: { preventDefault: () => void; stopPropagation: () => void }) => Promise<void>
  reset: (values?: T) => void
}

/** For a form without a schema: a pasted text, a confirmation, a plan. */
export function handleSubmit(event: { preventDefault: () => void }, run: () => unknown): void {
  event.preventDefault()
  void run()
}

/**
 * A form validated by the server's schema (R-APP-03). The schema is loaded when the user starts typing, so that zod is not part of the first
 * load. Server errors of a field are shown at the field.
 */
export function useForm<T extends Values, S extends z.ZodType>(options: {
  initial: T
  schema: () => Promise<S>
  /** A mutation called here has `meta: { failure: false }`, because the form reports its failure. */
  onSubmit: (input: z.output<S>, values: T) => Promise<void>
  /** The text of a failure without a field, shown as the form's `refusal`; null: none. */
  refusalOf?: (error: unknown) => string | null
  /** The same as a toast instead of in the form; a generic toast if both are absent. */
  onFailure?: (error: unknown) => void
}): Form<T> {
  const [values, setValues] = useState(options.initial)
  const [errors, setErrors] = useState<Record<string, string>>({})
  const [refusal, refuse] = useState<string | null>(null)
  const [submitting, setSubmitting] = useState(false)

  const set: Form<T>['set'] = (field, value) => {
    // Preloaded in advance; if it fails, the submit retries.
    options.schema().catch(() => undefined)
    setValues((before) => ({ ...before, [field]: value }))
    setErrors((before) => without(before, [String(field)]))
  }

  const merge: Form<T>['merge'] = (some) => {
    options.schema().catch(() => undefined)
    setValues((before) => ({ ...before, ...some }))
    setErrors((before) => without(before, Object.keys(some)))
  }

  const submit: Form<T>['submit'] = async (event) => {
    event?.preventDefault()
    event?.stopPropagation()
    if (submitting) return
    setSubmitting(true)
    try {
      const parsed = (await options.schema()).safeParse(values)
      if (!parsed.success) {
        const issues = formIssues(parsed.error.issues, values)
        setErrors(Object.fromEntries(issues.map((issue) => [issue.path, issueText(issue)])))
        focusFirst(parsed.error.issues[0]?.path[0])
        return
      }
      setErrors({})
      refuse(null)
      await options.onSubmit(parsed.data, values)
    } catch (error) {
      const found = fieldErrors(error)
      setErrors(found)
      const [first] = Object.keys(found)
      if (first !== undefined) return focusFirst(first)
      if (options.refusalOf === undefined) (options.onFailure ?? unsaved)(error)
      else refuse(options.refusalOf(error))
    } finally {
      setSubmitting(false)
    }
  }

  return {
    values,
    errors,
    refusal,
    refuse,
    submitting,
    set,
    merge,
    submit,
    text: (field) => ({
      name: field,
      value: String(values[field] ?? ''),
      error: errors[field],
      onChange: (event) => set(field, event.currentTarget.value as T[typeof field]),
    }),
    reset: (next = options.initial) => {
      setValues(next)
      setErrors({})
    },
  }
}

const unsaved = (error: unknown): void => toast.failure(error, i18next.t('errors:general.saving'))

/** Clears the errors of these fields and of nested ones. */
const without = (errors: Record<string, string>, fields: readonly string[]): Record<string, string> =>
  Object.fromEntries(Object.entries(errors).filter(([path]) => !fields.some((field) => path === field || path.startsWith(`${field}.`))))

const focusFirst = (name: PropertyKey | undefined): void => {
  if (typeof name === 'string') document.querySelector<HTMLElement>(`[name="${CSS.escape(name)}"]`)?.focus()
}
