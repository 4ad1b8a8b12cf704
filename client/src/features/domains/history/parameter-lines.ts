const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null

/** Every parameter of a rule with Cloudflare's names, such as `from_value.status_code: 301`. */
export function parameterLines(parameters: object): string[] {
  return Object.entries(parameters).flatMap(([name, value]: [string, unknown]) => {
    if (Array.isArray(value) && !value.some(isObject)) return [`${name}: ${value.join(', ')}`]
    if (!isObject(value)) return [`${name}: ${String(value)}`]
    const lines = parameterLines(value)
    return lines.length === 0 ? [`${name}: {}`] : lines.map((line) => `${name}.${line}`)
  })
}
