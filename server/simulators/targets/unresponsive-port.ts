import { once } from 'node:events'
import { connect } from 'node:net'
import { Worker } from 'node:worker_threads'
import type { PortMessage } from './unresponsive-worker.ts'

const callers = 8

/** A local port where connections are neither accepted nor refused. */
export async function openUnresponsivePort(): Promise<{ readonly port: number; close(): Promise<void> }> {
  const worker = new Worker(new URL('unresponsive-worker.ts', import.meta.url))
  const [port] = (await once(worker, 'message')) as [PortMessage]
  if (port === null) throw new Error('no port')
  // They fill its backlog, so that later ones wait.
  const sockets = Array.from({ length: callers }, () => connect({ host: '127.0.0.1', port }).on('error', () => undefined))
  await Promise.race(sockets.map((socket) => once(socket, 'connect')))
  return {
    port,
    async close() {
      for (const socket of sockets) socket.destroy()
      await worker.terminate()
    },
  }
}
