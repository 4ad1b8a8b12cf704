import { Agent, request as open } from 'node:http'
import { pick, randomFrom } from '#server/simulators/random.ts'
import { malformedRequest } from '#server/testing/malformed/malformed-request.ts'
import type { EntryPoint, MalformedRequest } from '#server/testing/malformed/malformed-request.ts'
import type { Named } from '#server/testing/malformed/sample-input.ts'
import { errorCatalog, isErrorCode } from '#shared/errors/codes.ts'

/** The caller: a person with their own objects. */
export interface Caller {
  readonly authorization: string
  readonly named: Named
}

export interface Fault {
  readonly request: MalformedRequest
  readonly what: string
}

export interface MalformedRun {
  readonly sent: number
  readonly faults: readonly Fault[]
  readonly slowestMs: number
  /** Number of responses by status. */
  readonly statuses: ReadonlyMap<number, number>
}

/** A response slower than this means that the request delayed others, even on a busy machine. */
export const patienceMs = 30_000

const stackTrace =
  /\\n\s+at |\bat \S+ \(|node_modules|\.ts:\d+|node:internal|PostgresError|DrizzleQuery|Failed query|\bselect "|\binsert into |ZodError|TypeError|RangeError|SyntaxError/

const codesOf = (body: string): string[] => [...body.matchAll(/"code":"([a-z_]+)"/g)].map(([, code = '']) => code)

/** A provider's failure is not the panel's, and no provider is running here; 503 is the panel's own. */
const isProviderFailure = (code: string) => isErrorCode(code) && [502, 504].includes(errorCatalog[code].status)

/** The fault of a response; null if there is none. */
export function validateAnswer({ method }: Pick<MalformedRequest, 'method'>, status: number, type: string, body: string): string | null {
  if (status === 500) return `answered 500: ${body.slice(0, 300)}`
  if (status > 500 && method !== 'HEAD' && !codesOf(body).some(isProviderFailure)) return `answered ${status}: ${body.slice(0, 300)}`
  const trace = stackTrace.exec(body)
  if (status >= 400 && trace !== null) return `tells of the program: ${body.slice(Math.max(0, trace.index - 100), trace.index + 200)}`
  if (status < 400 || method === 'HEAD') return null
  if (!type.startsWith('application/json') && !type.startsWith('text/event-stream'))
    return `answered ${status} as ${type}: ${body.slice(0, 200)}`
  if (!codesOf(body).some(isErrorCode)) return `answered ${status} without a code: ${body.slice(0, 300)}`
  return null
}

interface Answer {
  /** 0 if there was no response. */
  readonly status: number
  readonly type: string
  readonly body: string
  /** Why there was no response. */
  readonly broken: string | null
  /** The server closed the idle connection, as it may: nothing of the request was read. */
  readonly stale: boolean
}

const ask = (agent: Agent, origin: string, { method, path, headers, body }: MalformedRequest) =>
  new Promise<Answer>((resolve) => {
    const length = body === undefined ? {} : { 'content-length': Buffer.byteLength(body) }
    const asking = open(`${origin}${path}`, { agent, method, headers: { ...headers, ...length } }, (answer) => {
      const chunks: Buffer[] = []
      const status = answer.statusCode ?? 0
      const type = String(answer.headers['content-type'])
      const end = (broken: string | null) => resolve({ status, type, body: Buffer.concat(chunks).toString(), broken, stale: false })
      if (status === 200 && type.startsWith('text/event-stream')) {
        // The stream never ends.
        end(null)
        asking.destroy()
        return
      }
      answer.on('data', (chunk: Buffer) => chunks.push(chunk))
      answer.once('end', () => end(null))
      answer.once('error', (error) => end(String(error)))
    })
    asking.setTimeout(patienceMs, () => asking.destroy(new Error(`not within ${patienceMs} ms`)))
    asking.once('error', (error: NodeJS.ErrnoException) => {
      const stale = asking.reusedSocket && error.code === 'ECONNRESET'
      resolve({ status: 0, type: '', body: '', broken: String(error), stale })
    })
    asking.end(body)
  })

/**
 * Sends this many requests generated from a seed, every entry point in turn, a few at a time. `callers` returns new callers for the next
 * few hundred requests, because requests may sign them out or delete them.
 */
export async function sendMalformed(
  origin: string,
  entryPoints: readonly EntryPoint[],
  { seed, count, callers }: { readonly seed: number; readonly count: number; readonly callers: () => Promise<readonly Caller[]> },
): Promise<MalformedRun> {
  const random = randomFrom(seed)
  const agent = new Agent({ keepAlive: true, maxSockets: 6 })
  const faults: Fault[] = []
  const statuses = new Map<number, number>()
  let slowestMs = 0

  async function send(request: MalformedRequest): Promise<void> {
    const began = performance.now()
    let answer = await ask(agent, origin, request)
    // Each closes the connection, so the last request needs its own.
    while (answer.stale) answer = await ask(agent, origin, request)
    const { status, type, body, broken } = answer
    statuses.set(status, (statuses.get(status) ?? 0) + 1)
    // A body that is too large is refused before it has arrived, which closes the connection.
    const cutOff = broken !== null && (request.body?.length ?? 0) > 1_000_000 && /ECONNRESET|EPIPE/.test(broken)
    // Another request signed its caller out, so the rest of the export is refused.
    const signedOut = broken === 'Error: aborted' && status === 200 && request.path.startsWith('/api/me/export')
    const what = broken === null || cutOff || signedOut ? validateAnswer(request, status, type, body) : `no answer: ${broken}`
    if (what !== null) faults.push({ request, what })
    slowestMs = Math.max(slowestMs, performance.now() - began)
  }

  let sent = 0
  while (sent < count) {
    const asking = await callers()
    const requests = Array.from({ length: Math.min(500, count - sent) }, (_, at) => {
      const entryPoint = entryPoints[(sent + at) % entryPoints.length]
      if (entryPoint === undefined) throw new Error('there are no doors')
      const { named, authorization } = pick(random, asking)
      return malformedRequest(random, entryPoint, named, authorization)
    })
    sent += requests.length
    const waiting = requests.values()
    await Promise.all(
      Array.from({ length: 6 }, async () => {
        for (const request of waiting) await send(request)
      }),
    )
  }
  agent.destroy()
  return { sent, faults, slowestMs, statuses }
}

/** Faults of one kind once, with their number and the first of them as sent. */
export function describeFaults(faults: readonly Fault[]): string[] {
  const kindOf = ({ request, what }: Fault) => `${request.entryPoint} ${what.replace(/"requestId.*/s, '').slice(0, 160)}`
  return [...Map.groupBy(faults, kindOf)].map(([kind, [first, ...others]]) => {
    const { method, path, body } = first?.request ?? { method: '', path: '', body: '' }
    return `${1 + others.length} × ${kind}\n  ${method} ${path.slice(0, 300)} ${String(body).slice(0, 300)}`
  })
}
