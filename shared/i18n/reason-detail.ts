const gaps = /\{\{(\w+)\}\}/g

/**
 * The details of a reason beyond its name, for its kind or in the plural form for its number of days; null if a value is missing.
 * @param textOf the text of the reason in the language of `locale`, by the suffix of its key: '', or '_one', '_few' …, or '_' and the kind
 */
export function reasonDetail(
  textOf: (form: string) => string | undefined,
  locale: string,
  params: Readonly<Record<string, unknown>>,
  written: (name: string, value: unknown) => string = (_, value) => String(value),
): string | null {
  const days = Number(params['days'] ?? Number.NaN)
  const form = Number.isNaN(days) ? undefined : textOf(`_${new Intl.PluralRules(locale).select(days)}`)
  const ofKind = typeof params['kind'] === 'string' ? textOf(`_${params['kind']}`) : undefined
  const text = form ?? ofKind ?? textOf('')
  if (text === undefined) return null
  const missing = [...text.matchAll(gaps)].some(([, name = '']) => params[name] === undefined || params[name] === '')
  return missing ? null : text.replace(gaps, (_, name: string) => dateOf(locale, name, params[name]) ?? written(name, params[name]))
}

/** A day in UTC as `November 27`; null for other parameters. */
function dateOf(locale: string, name: string, value: unknown): string | null {
  if (name !== 'date' || typeof value !== 'string' || !/^\d{4}-\d{2}-\d{2}$/.test(value)) return null
  const date = new Date(value)
  return Number.isNaN(date.getTime())
    ? null
    : new Intl.DateTimeFormat(locale, { timeZone: 'UTC', day: 'numeric', month: 'long' }).format(date)
}
