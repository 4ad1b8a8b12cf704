import { isRecord } from '#server/platform/json-shape.ts'
import { callTRPCProcedure, getTRPCErrorFromUnknown, getTRPCErrorShape, transformTRPCResponse } from '@trpc/server'
import { getHTTPStatusCode } from '@trpc/server/http'
import type { FastifyRequest } from 'fastify'
import { listProcedures } from '#server/transports/trpc/list-procedures.ts'
import { appRouter } from '#server/transports/trpc/router.ts'
import type { RequestCtx } from '#server/transports/trpc/trpc.ts'

interface PlainCall {
  readonly path: string
  readonly type: 'query' | 'mutation'
  readonly input: unknown
}

interface PlainCalls {
  /** The response is a list. */
  readonly batch: boolean
  readonly calls: readonly PlainCall[]
}

let types: ReadonlyMap<string, 'query' | 'mutation' | 'subscription'> | null = null
const typeOf = (path: string) => (types ??= new Map(listProcedures().map((each) => [each.path, each.type]))).get(path)

/** Null for invalid JSON. */
function parse(text: string): { readonly value: unknown } | null {
  if (text === '') return { value: undefined }
  try {
    return { value: JSON.parse(text) as unknown }
  } catch {
    return null
  }
}

/** The calls of an ordinary request; null for requests left to the library: streams, unknown or invalid calls. */
export function readPlainCalls({ method, params, query, body, headers }: FastifyRequest, atMost: number): PlainCalls | null {
  const { path: joined } = params as { readonly path: string }
  const { batch, input, ...others } = query as Readonly<Record<string, unknown>>
  if ((method !== 'GET' && method !== 'POST') || !/^[\w.,]+$/.test(joined) || Object.keys(others).length > 0) return null
  if (headers['trpc-accept'] !== undefined || headers.accept === 'application/jsonl' || (batch !== undefined && batch !== '1')) return null
  const text = method === 'GET' ? (input ?? '') : body === '' ? undefined : body
  const read = typeof text === 'string' ? parse(text) : null
  const paths = batch === undefined ? [joined] : joined.split(',')
  if (read === null || paths.length > atMost || (batch !== undefined && read.value !== undefined && !isRecord(read.value))) return null
  const inputs = batch === undefined ? [read.value] : paths.map((_, at) => (isRecord(read.value) ? read.value[at] : undefined))
  const calls: PlainCall[] = []
  for (const [at, path] of paths.entries()) {
    const type = typeOf(path)
    if (type === undefined || type === 'subscription' || (type === 'mutation' && method === 'GET')) return null
    calls.push({ path, type, input: inputs[at] })
  }
  return { batch: batch !== undefined, calls }
}

const { _config: config } = appRouter._def

/**
 * Responds to ordinary calls like the library, without converting Node's request to a web request and the response text to a stream, which
 * cost more than most calls.
 */
export async function answerPlainCalls(
  { batch, calls }: PlainCalls,
  ctx: RequestCtx,
  { signal, onError }: { readonly signal: AbortSignal; readonly onError: (error: Error, path: string) => void },
): Promise<{ readonly status: number; readonly body: string }> {
  const answers = await Promise.all(
    calls.map(async ({ path, type, input }, batchIndex) => {
      try {
        const getRawInput = () => Promise.resolve(input)
        const data: unknown = await callTRPCProcedure({ router: appRouter, path, type, ctx, getRawInput, signal, batchIndex })
        return { result: { data } }
      } catch (cause) {
        const error = getTRPCErrorFromUnknown(cause)
        onError(error, path)
        return { error: getTRPCErrorShape({ config, ctx, error, input, path, type }) }
      }
    }),
  )
  const [only] = answers
  const answer = batch || only === undefined ? answers : only
  return { status: getHTTPStatusCode(answer), body: JSON.stringify(transformTRPCResponse(config, answer)) }
}
