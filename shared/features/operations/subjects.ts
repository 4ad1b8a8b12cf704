import { z } from 'zod'

const text = z.string().catch('')
const filter = z.object({ type: text, name: text, content: text })
const added = z.object({ records: z.tuple([filter], filter) })
const edited = filter.extend({ set: z.record(z.string(), z.unknown()) })
const replaced = z.object({ find: z.string(), replace: z.string() })
const moved = z.object({ ipAddress: z.string() })
const switched = z.object({ enabled: z.boolean() })
const valued = z.object({ values: z.tuple([z.string()], z.string()) })
const redirected = z.object({ url: z.string() })
const settings = z.object({ settings: z.record(z.string(), z.unknown()) })

const longest = 60
const shortened = (given: string): string => (given.length > longest ? `${given.slice(0, longest - 1)}…` : given)
const recordOf = ({ type, name, content }: z.infer<typeof filter>): string =>
  shortened([type, name, content].filter((part) => part !== '').join(' '))
const assigned = (values: Readonly<Record<string, unknown>>): string =>
  shortened(
    Object.entries(values)
      .map(([key, value]) =>
        ['string', 'number', 'boolean'].includes(typeof value) ? `${key}=${value as string | number | boolean}` : key,
      )
      .join(', '),
  )

/** Null if the stored input has another form. */
const subjectOf =
  <T>(schema: z.ZodType<T>, write: (input: T) => string) =>
  (input: unknown): string | null => {
    const { data } = schema.safeParse(input)
    return data === undefined ? null : write(data) || null
  }

export const addressSubject = subjectOf(moved, ({ ipAddress }) => ipAddress)
export const redirectsSubject = subjectOf(redirected, ({ url }) => shortened(url))
export const replacedSubject = subjectOf(replaced, ({ find, replace }) => `${shortened(find)} → ${shortened(replace)}`)
export const addedSubject = subjectOf(
  added,
  ({ records: [first, ...others] }) => `${recordOf(first)}${others.length > 0 ? ` +${others.length}` : ''}`,
)
export const accessSubject = subjectOf(
  valued,
  ({ values: [first, ...others] }) => `${first}${others.length > 0 ? ` +${others.length}` : ''}`,
)
export const filterSubject = subjectOf(filter, recordOf)
export const editedSubject = subjectOf(edited, (input) => `${recordOf(input)} → ${assigned(input.set)}`)
export const settingsSubject = subjectOf(settings, (input) => assigned(input.settings))
const detached = z.object({ profileId: z.null() })
/** Empty, as no profile's name is, for an operation that detaches domains from their profile. */
export const profileSubject = (input: unknown): string | null => (detached.safeParse(input).success ? '' : null)
export const switchSubject = subjectOf(switched, ({ enabled }) => (enabled ? 'on' : 'off'))
