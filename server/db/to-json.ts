/** JSON that PostgreSQL takes: it knows neither NUL nor half a surrogate pair, which a provider's text may hold. */
export function toJson(value: unknown): string {
  const json = JSON.stringify(value)
  if (!/\\u(?:0000|d[89a-f])/.test(json)) return json
  return JSON.stringify(value, (_key, part: unknown) => (typeof part === 'string' ? part.toWellFormed().replaceAll('\0', '\ufffd') : part))
}
