import { stripEnd } from '#shared/text.ts'

/** A call of the REST API. */
export interface ApiCall {
  readonly method: string
  /** Below `/api`. */
  readonly path: string
  readonly query?: Readonly<Record<string, unknown>>
  readonly body?: Readonly<Record<string, unknown>> | null
}

const quoted = (text: string) => `'${text.replaceAll("'", String.raw`'\''`)}'`
const plain = (value: unknown) => (Array.isArray(value) ? value.map(String).join(',') : String(value))
const parts = (query: ApiCall['query'] = {}) =>
  Object.entries(query).map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(plain(value))}`)

/** The path with the query string. */
export function urlOf({ path, query }: ApiCall): string {
  const asked = parts(query)
  return asked.length === 0 ? path : `${path}?${asked.join('&')}`
}

/** As a curl command; the token is in `ZONEDECK_TOKEN`. */
export function curlOf(call: ApiCall, panelUrl: string): string {
  const { method, body = null } = call
  const lines = [
    `curl${method === 'GET' ? '' : ` -X ${method}`} ${quoted(`${stripEnd(panelUrl, '/')}/api${urlOf(call)}`)}`,
    `  -H "Authorization: Bearer $ZONEDECK_TOKEN"`,
    ...(body === null ? [] : [`  -H 'Content-Type: application/json'`, `  -d ${quoted(JSON.stringify(body))}`]),
  ]
  return lines.join(' \\\n')
}

const isName = (text: string) => /^[a-z_$][\w$]*$/i.test(text)

/** A TypeScript literal. */
export function literal(value: unknown, indent = ''): string {
  if (typeof value === 'string')
    return `'${JSON.stringify(value)
      .slice(1, -1)
      .replaceAll(String.raw`\"`, '"')
      .replaceAll("'", String.raw`\'`)}'`
  if (typeof value !== 'object' || value === null) return String(value)
  const inner = `${indent}  `
  const members = Array.isArray(value)
    ? value.map((each) => literal(each, inner))
    : Object.entries(value).flatMap(([name, each]) =>
        each === undefined ? [] : [`${isName(name) ? name : JSON.stringify(name)}: ${literal(each, inner)}`],
      )
  const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{', '}']
  if (members.length === 0) return `${open}${close}`
  const pad = open === '{' ? ' ' : ''
  const line = `${open}${pad}${members.join(', ')}${pad}${close}`
  return line.length + indent.length <= 100 && !line.includes('\n')
    ? line
    : `${open}\n${members.map((each) => `${inner}${each},`).join('\n')}\n${indent}${close}`
}

/** For the typed client; `panel` is the client object. */
export function typescriptOf(procedure: string, input: Readonly<Record<string, unknown>>): string {
  return `await panel.${procedure}(${Object.keys(input).length === 0 ? '' : literal(input)})`
}
