import { Buffer } from 'node:buffer'
import { gzipSync } from 'node:zlib'
import { z } from 'zod'
import { between, pick, pickWeighted } from '#server/simulators/random.ts'
import type { Random } from '#server/simulators/random.ts'
import { hostileTexts, hostileValues } from '#server/testing/malformed/hostile-values.ts'
import { sampleInput } from '#server/testing/malformed/sample-input.ts'
import type { Named } from '#server/testing/malformed/sample-input.ts'
import type { JsonSchema } from '#server/transports/rest/write-type.ts'
import { corrupt } from '#server/testing/malformed/corrupt.ts'
import { listRestRoutes } from '#server/transports/rest/rest-routes.ts'
import { listProcedures } from '#server/transports/trpc/list-procedures.ts'

/** An entry point of the panel: a REST route, or a tRPC procedure. */
export interface EntryPoint {
  readonly kind: 'rest' | 'trpc'
  readonly path: string
  readonly method: string
  readonly stream: boolean
  readonly schema: JsonSchema | undefined
}

export interface MalformedRequest {
  readonly entryPoint: string
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Buffer | undefined
}

const schemaOf = (input: z.core.$ZodType | undefined): JsonSchema | undefined =>
  input === undefined ? undefined : (z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' }) as JsonSchema)

/** Every entry point, as listed by the router. */
export const listEntryPoints = (): EntryPoint[] => [
  ...listRestRoutes().map(({ method, url, input }) => ({
    kind: 'rest' as const,
    path: url,
    method,
    stream: false,
    schema: schemaOf(input),
  })),
  ...listProcedures().map(({ path, type, input }) => ({
    kind: 'trpc' as const,
    path: `/trpc/${path}`,
    method: type === 'query' ? 'GET' : 'POST',
    stream: type === 'subscription',
    schema: schemaOf(input),
  })),
]

/** A text as part of a URL; characters that a URL cannot contain become invalid UTF-8 bytes. */
function escape(random: Random, text: string): string {
  const short = text.slice(0, 3_000)
  if (!short.isWellFormed()) return '%ED%A0%80'
  return random() < 0.03 ? pick(random, ['%ff', '%', '%zz', '%c0%ae', '%00', '%2e%2e%2f']) : encodeURIComponent(short)
}

const asText = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))

const rawBodies: readonly (string | Buffer)[] = [
  '',
  '{',
  '[]',
  'null',
  '"text"',
  '1e400',
  'NaN',
  '{"a":1}{"a":2}',
  '{"a":1,}',
  "{'a':1}",
  '{"a":1e400,"a":-1e400}',
  '{"id":"\\ud800"}',
  '{"id":"\\u0000"}',
  '\ufeff{}',
  '{"__proto__":{"a":1}}',
  '{"constructor":{"prototype":{"a":1}}}',
  `${'['.repeat(60_000)}${']'.repeat(60_000)}`,
  `${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}`,
  `{"ids":[${'1,'.repeat(100_000)}1]}`,
  `{"name":"${'x'.repeat(300_000)}"}`,
  Buffer.from([0xff, 0xfe, 0x7b, 0x00, 0x7d, 0x00]),
  Buffer.from([0x7b, 0x22, 0x61, 0x22, 0x3a, 0x22, 0xc0, 0x80, 0x22, 0x7d]),
  Buffer.from('{"name":"\xff\xfe"}', 'latin1'),
  gzipSync('{"name":"packed"}'),
]
const huge = Buffer.alloc(9 * 1024 * 1024, 'x')

const strangeHeaders: readonly Readonly<Record<string, string>>[] = [
  { 'content-type': 'text/plain' },
  { 'content-type': 'application/x-www-form-urlencoded' },
  { 'content-type': 'multipart/form-data; boundary=x' },
  { 'content-type': 'application/json; charset=utf-16' },
  { 'content-type': 'application/json;;;=' },
  { 'content-type': `application/${'j'.repeat(4_000)}` },
  { 'content-type': '../../json' },
  { 'content-encoding': 'gzip' },
  { 'content-encoding': 'br, identity, nonsense' },
  { accept: '*/*;q=nonsense, text/html' },
  { accept: 'application/jsonl' },
  { accept: 'text/event-stream' },
  { 'trpc-accept': 'application/jsonl' },
  { 'idempotency-key': '' },
  { 'idempotency-key': 'x'.repeat(300) },
  { 'idempotency-key': 'caf\u00e9' },
  { 'if-none-match': '*' },
  { 'if-none-match': `W/"${'x'.repeat(2_000)}", "` },
  { range: 'bytes=999999999999-,-5' },
  { cookie: 'XSRF-TOKEN=%; =; ;;a=%ff' },
  { origin: 'null' },
  { origin: 'http://[' },
  { host: 'evil.example' },
  { host: '[::' },
  { 'x-forwarded-for': '999.999.999.999, \u00ff' },
  { 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'gopher' },
  { 'x-http-method-override': 'DELETE' },
  { 'last-event-id': 'x'.repeat(500) },
  { 'user-agent': 'x'.repeat(7_000) },
  { 'accept-language': '*'.repeat(5_000) },
]

const brokenTokens = [
  '',
  'x',
  'Bearer',
  'Bearer ',
  'Basic eDp5',
  'Bearer zd_',
  `Bearer zd_${'x'.repeat(43)}`,
  'bearer \u00e9',
  `Bearer ${'x'.repeat(6_000)}`,
]

const otherMethods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS', 'TRACE', 'PROPFIND', 'PURGE']

/** Queries that no entry point accepts: duplicate names, prototype keys, truncated JSON. */
const strangeQueries = [
  'staus=active',
  '__proto__=1&constructor=2',
  'limit=1&limit=2',
  'filter={',
  'filter=%7B%22__proto__%22%3A1%7D',
  'input=%7B',
  'batch=1&input=[',
  'batch=2',
  'cursor=%00',
  'preview=maybe',
  '&&==&=',
  'a[b][c]=1',
  'page=1e99',
  'offset=-1',
  'limit=9007199254740993',
]

function restRequest(random: Random, entryPoint: EntryPoint, input: unknown): Pick<MalformedRequest, 'path' | 'body'> {
  const fields: Record<string, unknown> = typeof input === 'object' && input !== null && !Array.isArray(input) ? { ...input } : {}
  const path = entryPoint.path.replaceAll(/:(\w+)/g, (_, name: string) => {
    const value = fields[name] ?? pick(random, hostileTexts)
    delete fields[name]
    return escape(random, asText(value)) || '%20'
  })
  if (entryPoint.method !== 'GET') return { path, body: JSON.stringify(Array.isArray(input) || input === null ? input : fields) }
  const flat = Object.entries(fields).flatMap(([name, value]) =>
    name === 'filter' && typeof value === 'object' && value !== null && random() < 0.5 ? Object.entries(value) : [[name, value] as const],
  )
  const query = flat.map(([name, value]) => `${escape(random, name)}=${escape(random, asText(value))}`).join('&')
  return { path: query === '' ? path : `${path}?${query.slice(0, 9_000)}`, body: undefined }
}

function trpcRequest(
  random: Random,
  entryPoint: EntryPoint,
  input: unknown,
): Pick<MalformedRequest, 'path' | 'body'> & { readonly method: string } {
  const text = JSON.stringify(input) ?? ''
  const byAddress = entryPoint.method === 'GET' && text.length < 4_000 && random() < 0.6
  if (byAddress) return { method: 'GET', path: `${entryPoint.path}?input=${escape(random, text)}`, body: undefined }
  if (random() < 0.15)
    return { method: 'POST', path: `${entryPoint.path}?batch=1`, body: random() < 0.7 ? `{"0":${text || 'null'}}` : text }
  return { method: 'POST', path: entryPoint.path, body: text }
}

/** One request with a defect. `named`: ids and texts of the caller's objects. */
export function malformedRequest(random: Random, entryPoint: EntryPoint, named: Named, authorization: string): MalformedRequest {
  const sample = sampleInput(random, entryPoint.schema ?? { type: 'object' }, named)
  const wrong = pickWeighted(random, [
    ['input', 62],
    ['body', 10],
    ['header', 8],
    ['token', 5],
    ['method', 5],
    ['query', 6],
    ['address', 3.97],
    ['huge', 0.03],
  ] as const)
  const input = wrong === 'input' ? corrupt(random, sample) : sample
  const asked =
    entryPoint.kind === 'rest'
      ? { method: entryPoint.method, ...restRequest(random, entryPoint, input) }
      : trpcRequest(random, entryPoint, input)
  let { method, path, body }: { method: string; path: string; body: string | Buffer | undefined } = asked
  let headers: Record<string, string> = { authorization }
  switch (wrong) {
    case 'body':
      if (method === 'GET') method = 'POST'
      body = random() < 0.3 && typeof body === 'string' ? body.slice(0, between(random, 0, body.length)) : pick(random, rawBodies)
      break
    case 'huge':
      body = huge
      if (method === 'GET') method = 'POST'
      break
    case 'header':
      headers = { ...headers, ...pick(random, strangeHeaders) }
      break
    case 'token':
      headers['authorization'] = pick(random, brokenTokens)
      break
    case 'method':
      method = pick(random, otherMethods)
      if (method === 'GET' || method === 'HEAD') body = undefined
      break
    case 'query':
      path += `${path.includes('?') ? '&' : '?'}${pick(random, strangeQueries)}`
      break
    case 'address': {
      const at = between(random, 1, path.length)
      path = `${path.slice(0, at)}${escape(random, asText(pick(random, hostileValues)).slice(0, 500))}${path.slice(at)}`
      break
    }
    default:
  }
  // Logging of a call before validation must not fail because of its content.
  if (entryPoint.kind === 'rest' && method !== 'GET' && headers['idempotency-key'] === undefined && random() < 0.2) {
    headers['idempotency-key'] = `key ${between(random, 0, 50)}`
    if (random() < 0.2) body = `{"ids":${'{"a":'.repeat(30_000)}1${'}'.repeat(30_000)}}`
  }
  if (body !== undefined && headers['content-type'] === undefined) headers['content-type'] = 'application/json'
  return { entryPoint: `${entryPoint.kind === 'rest' ? `${entryPoint.method} ` : ''}${entryPoint.path}`, method, path, headers, body }
}
