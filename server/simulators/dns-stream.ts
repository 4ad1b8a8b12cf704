import { once } from 'node:events'
import { createServer } from 'node:net'
import type { Socket } from 'node:net'

const longestMessage = 65_535

export interface DnsStream {
  readonly port: number
  close(): Promise<void>
}

/** DNS over TCP: each message is preceded by its length. */
export async function createDnsStream(port: number, answersTo: (query: Buffer) => readonly Buffer[]): Promise<DnsStream> {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
    socket.on('error', () => socket.destroy())
    let read: Buffer = Buffer.alloc(0)
    socket.on('data', (chunk) => {
      read = Buffer.concat([read, chunk])
      while (read.length >= 2 && read.length >= 2 + read.readUInt16BE(0)) {
        const end = 2 + read.readUInt16BE(0)
        for (const answer of answersTo(read.subarray(2, end))) {
          const length = Buffer.alloc(2)
          length.writeUInt16BE(Math.min(answer.length, longestMessage), 0)
          socket.write(Buffer.concat([length, answer.subarray(0, longestMessage)]))
        }
        read = read.subarray(end)
      }
    })
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  return {
    port: typeof address === 'object' && address !== null ? address.port : port,
    close: () => {
      for (const socket of sockets) socket.destroy()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
}
