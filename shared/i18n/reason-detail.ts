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
  return missing ? null : text.replace(gaps, (_, name: string) => written(name, params[name]))
}
