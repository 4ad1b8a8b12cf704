import { connect } from 'node:net'
import { percentile } from './bench.ts'

export interface Load {
  readonly perSecond: number
  readonly p50Ms: number
  readonly p95Ms: number
  /** The body of a response, on average. */
  readonly bytes: number
}

const headEnd = Buffer.from('\r\n\r\n')
const lastChunk = Buffer.from('0\r\n\r\n')

/**
 * One connection; each request waits for the response to the previous one. Node's own client takes longer for a request than the fastest
 * routes measured here.
 */
async function openConnection(origin: URL, headers: Readonly<Record<string, string>>) {
  const socket = connect({ host: origin.hostname, port: Number(origin.port), noDelay: true })
  await new Promise<void>((resolve, reject) => void socket.once('connect', resolve).once('error', reject))
  const fields = Object.entries({ host: origin.host, ...headers }).map(([name, value]) => `${name}: ${value}\r\n`)
  let pending: { readonly resolve: (answer: { status: number; bytes: number }) => void; readonly reject: (why: Error) => void } | null =
    null
  let head: Buffer = Buffer.alloc(0)
  let status = 0
  /** Bytes of the body that are still to come; null before the head has arrived, infinite for a chunked body. */
  let left: number | null = null
  let bytes = 0
  const fail = (why: Error) => pending?.reject(why)
  socket.on('error', fail)
  socket.on('close', () => fail(new Error('the server closed the connection')))
  socket.on('data', (data: Buffer) => {
    let body = data
    if (left === null) {
      head = head.length === 0 ? data : Buffer.concat([head, data])
      const end = head.indexOf(headEnd)
      if (end < 0) return
      const text = head.toString('latin1', 0, end)
      status = Number(text.slice(9, 12))
      left = Number(/\r\ncontent-length: (\d+)/i.exec(text)?.[1] ?? Infinity)
      body = head.subarray(end + headEnd.length)
      head = Buffer.alloc(0)
    }
    bytes += body.length
    left -= body.length
    const isOver = left === Infinity ? body.subarray(-lastChunk.length).equals(lastChunk) : left <= 0
    if (!isOver) return
    const answer = { status, bytes }
    left = null
    bytes = 0
    pending?.resolve(answer)
  })
  return {
    ask: (path: string) =>
      new Promise<{ status: number; bytes: number }>((resolve, reject) => {
        pending = { resolve, reject }
        socket.write(`GET ${path} HTTP/1.1\r\n${fields.join('')}\r\n`)
      }),
    close() {
      pending = null
      socket.destroy()
    },
  }
}

/**
 * Requests a URL, or several in turn, repeatedly from the given number of concurrent clients; each waits for the response before its next
 * request.
 */
export async function load(
  urls: string | readonly string[],
  headers: Readonly<Record<string, string>>,
  clients: number,
  forMs: number,
): Promise<Load> {
  const targets = [urls].flat().map((url) => new URL(url))
  const [first] = targets
  if (first === undefined) throw new Error('no URL')
  const paths = targets.map(({ pathname, search }) => pathname + search)
  const connections = await Promise.all(Array.from({ length: clients }, () => openConnection(first, headers)))
  const took: number[] = []
  let bytes = 0
  let turn = 0
  const began = performance.now()
  await Promise.all(
    connections.map(async ({ ask }) => {
      for (let now = performance.now(); now - began < forMs;) {
        const path = paths[turn % paths.length] ?? ''
        turn += 1
        const answer = await ask(path)
        if (answer.status !== 200) throw new Error(`${path.slice(0, 200)} answered ${answer.status}`)
        bytes += answer.bytes
        const after = performance.now()
        took.push(after - now)
        now = after
      }
    }),
  )
  const seconds = (performance.now() - began) / 1000
  for (const { close } of connections) close()
  return { perSecond: took.length / seconds, p50Ms: percentile(took, 0.5), p95Ms: percentile(took, 0.95), bytes: bytes / took.length }
}
