import { z } from 'zod'

const text = z.string().catch('')
const filter = z.object({ type: text, name: text, content: text })
const added = z.object({ records: z.array(filter).min(1) })
const edited = filter.extend({ set: z.record(z.string(), z.unknown()) })
const replaced = z.object({ find: z.string(), replace: z.string() })
const moved = z.object({ ipAddress: z.string() })
const switched = z.object({ enabled: z.boolean() })
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

/**
 * What a list shows after the kind of an operation: the address that is set, the records that are added, matched or replaced, the settings that
 * are changed (`key=value`, or the key of one with several values), or automatic renewal `on` or `off`. Null if the kind says it all.
 */
export function operationSubject(kind: string, input: unknown): string | null {
  switch (kind) {
    case 'ip':
      return moved.safeParse(input).data?.ipAddress ?? null
    case 'dns_replace': {
      const { data } = replaced.safeParse(input)
      return data === undefined ? null : `${shortened(data.find)} → ${shortened(data.replace)}`
    }
    case 'dns_add': {
      const records = added.safeParse(input).data?.records ?? []
      const [first] = records
      return first === undefined ? null : `${recordOf(first)}${records.length > 1 ? ` +${records.length - 1}` : ''}`
    }
    case 'dns_delete': {
      const { data } = filter.safeParse(input)
      return data === undefined ? null : recordOf(data) || null
    }
    case 'dns_edit': {
      const { data } = edited.safeParse(input)
      return data === undefined ? null : `${recordOf(data)} → ${assigned(data.set)}`
    }
    case 'settings': {
      const { data } = settings.safeParse(input)
      return data === undefined ? null : assigned(data.settings) || null
    }
    case 'auto_renew': {
      const { data } = switched.safeParse(input)
      return data === undefined ? null : data.enabled ? 'on' : 'off'
    }
    default:
      return null
  }
}
