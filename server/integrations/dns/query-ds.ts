import { randomInt } from 'node:crypto'
import { createSocket } from 'node:dgram'
import { getServers } from 'node:dns'
import { connect, isIPv6 } from 'node:net'
import type { PublishedDs } from '#server/ports/registry.ts'
import { dsQuery, readDsReply } from './ds-message.ts'
import type { DsReply } from './ds-message.ts'

interface Server {
  readonly host: string
  readonly port: number
}

const tryMs = 1_200
const longestMs = 3_000
const dnsPort = 53

const serverOf = (given: string): Server => {
  const withPort = /^(?:\[([^\]]+)\]|([^:]+)):(\d+)$/.exec(given)
  return withPort === null ? { host: given, port: dnsPort } : { host: withPort[1] ?? withPort[2] ?? '', port: Number(withPort[3]) }
}

/** The DS records of a name at its parent, from the first server that answers, in time; null if none does. */
export async function queryDs(servers: readonly string[], name: string): Promise<readonly PublishedDs[] | null> {
  const query = dsQuery(name, randomInt(0x10000))
  if (query === null) return null
  const deadline = AbortSignal.timeout(longestMs)
  for (const server of (servers.length > 0 ? servers : getServers()).map(serverOf)) {
    const overUdp = await askUdp(server, query, AbortSignal.any([deadline, AbortSignal.timeout(tryMs)]))
    const reply = overUdp?.kind === 'truncated' ? await askTcp(server, query, deadline) : overUdp
    if (reply?.kind === 'found') return reply.records
    if (deadline.aborted) return null
  }
  return null
}

/** Forged messages that do not fit the question are ignored. */
function askUdp({ host, port }: Server, query: Buffer, signal: AbortSignal): Promise<DsReply | null> {
  return new Promise((resolve) => {
    const socket = createSocket({ type: isIPv6(host) ? 'udp6' : 'udp4', signal })
    const end = (reply: DsReply | null) => {
      resolve(reply)
      if (!signal.aborted) socket.close()
    }
    signal.addEventListener('abort', () => resolve(null), { once: true })
    socket.once('error', () => end(null))
    // A connected socket takes messages of this server only.
    socket.once('connect', () => socket.send(query))
    socket.on('message', (message) => {
      const reply = readDsReply(query, message)
      if (reply.kind !== 'other') end(reply)
    })
    socket.connect(port, host)
  })
}

function askTcp({ host, port }: Server, query: Buffer, signal: AbortSignal): Promise<DsReply | null> {
  return new Promise((resolve) => {
    const socket = connect({ host, port, signal })
    const end = (reply: DsReply | null) => {
      resolve(reply)
      socket.destroy()
    }
    let received = Buffer.alloc(0)
    const length = Buffer.alloc(2)
    length.writeUInt16BE(query.length, 0)
    socket.once('connect', () => socket.write(Buffer.concat([length, query])))
    socket.once('error', () => end(null))
    socket.once('close', () => end(null))
    socket.on('data', (chunk) => {
      received = Buffer.concat([received, chunk])
      const expected = received.length < 2 ? Infinity : 2 + received.readUInt16BE(0)
      if (received.length >= expected) end(readDsReply(query, received.subarray(2, expected)))
    })
  })
}
