/** PostgreSQL texts permit neither NUL nor unpaired surrogates, which may occur in a provider's messages. */
export const storableText = (text: string): string => text.toWellFormed().replaceAll('\0', '\ufffd')

/** JSON that PostgreSQL accepts. */
export function toJson(value: unknown): string {
  const json = JSON.stringify(value)
  if (!/\\u(?:0000|d[89a-f])/.test(json)) return json
  return JSON.stringify(value, (_key, part: unknown) => (typeof part === 'string' ? storableText(part) : part))
}
