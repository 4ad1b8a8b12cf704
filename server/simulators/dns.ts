import { createSocket } from 'node:dgram'
import { once } from 'node:events'

export interface DnsSimulator {
  /** As `DNS_SERVERS` takes it. */
  readonly address: string
  close(): Promise<void>
}

/** The name servers of a name; null: there is no such name; undefined: no answer at all. */
export type Registry = (name: string) => readonly string[] | null | undefined

const typeNs = 2
const headerBytes = 12
const noName = 3

/** A DNS server over UDP that knows only who a domain is delegated to. */
export async function startDnsSimulator(registry: Registry, options: { readonly port?: number } = {}): Promise<DnsSimulator> {
  const socket = createSocket('udp4')
  socket.on('message', (query, from) => {
    const answer = answerTo(query, registry)
    if (answer !== null) socket.send(answer, from.port, from.address)
  })
  socket.bind(options.port ?? 0, '127.0.0.1')
  await once(socket, 'listening')
  return {
    address: `127.0.0.1:${socket.address().port}`,
    close: () => new Promise((resolve) => socket.close(() => resolve())),
  }
}

function answerTo(query: Buffer, registry: Registry): Buffer | null {
  if (query.length < headerBytes + 5) return null
  const labels: string[] = []
  let at = headerBytes
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length))
    at += length + 1
  }
  if (at + 5 > query.length) return null
  const question = query.subarray(headerBytes, at + 5)
  const known = registry(labels.join('.').toLowerCase())
  if (known === undefined) return null
  const hosts = query.readUInt16BE(at + 1) === typeNs ? (known ?? []) : []

  const header = Buffer.alloc(headerBytes)
  query.copy(header, 0, 0, 2)
  // An answer, recursion asked for and given.
  header.writeUInt16BE(0x8180 | (known === null ? noName : 0), 2)
  header.writeUInt16BE(1, 4)
  header.writeUInt16BE(hosts.length, 6)
  return Buffer.concat([header, question, ...hosts.map(nsRecord)])
}

function nsRecord(host: string): Buffer {
  const name = Buffer.concat([...host.split('.').map((label) => Buffer.from([label.length, ...Buffer.from(label)])), Buffer.from([0])])
  const head = Buffer.alloc(12)
  // The name of the question, by its place.
  head.writeUInt16BE(0xc000 | headerBytes, 0)
  head.writeUInt16BE(typeNs, 2)
  head.writeUInt16BE(1, 4)
  head.writeUInt32BE(300, 6)
  head.writeUInt16BE(name.length, 10)
  return Buffer.concat([head, name])
}
