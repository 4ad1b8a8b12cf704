import { createServer } from 'node:net'
import { parentPort } from 'node:worker_threads'

/** The port that it listens on. */
export type PortMessage = number | null

/** Listens without accepting: its backlog fills up, and the system then ignores further connections. */
const server = createServer()
server.listen({ host: '127.0.0.1', port: 0, backlog: 1 }, () => {
  const address = server.address()
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread's port has no origin
  parentPort?.postMessage((typeof address === 'object' ? (address?.port ?? null) : null) satisfies PortMessage)
  // After the message was sent.
  setImmediate(() => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0))
})
