import { createServer } from 'node:net'
import { parentPort } from 'node:worker_threads'

/** The port that it listens on. */
export type PortMessage = number | null

/** Listens, and never takes anybody: its queue fills up, and the system then leaves those who knock without an answer. */
const server = createServer()
server.listen({ host: '127.0.0.1', port: 0, backlog: 1 }, () => {
  const address = server.address()
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread's port has no origin
  parentPort?.postMessage((typeof address === 'object' ? (address?.port ?? null) : null) satisfies PortMessage)
  // After the message has left.
  setImmediate(() => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0))
})
