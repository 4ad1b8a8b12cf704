import { createSocket } from 'node:dgram'
import type { Socket } from 'node:dgram'
import { once } from 'node:events'
import { isIP } from 'node:net'
import { createDnsStream } from './dns-stream.ts'
import type { DnsStream } from './dns-stream.ts'

export interface DnsSimulator {
  /** In the format of `DNS_SERVERS`. */
  readonly address: string
  close(): Promise<void>
}

export interface DsRecord {
  readonly keyTag: number
  readonly algorithm: number
  readonly digestType: number
  /** Hexadecimal digits. */
  readonly digest: string
}

/** The name servers of a name; null: the name does not exist; undefined: no response. */
export type Registry = (name: string) => readonly string[] | null | undefined

/**
 * Faulty responses: an error, garbage, the answer to another question or with another id, truncation, or forged answers before the right
 * one (`spoofed`).
 */
export type DnsFault = 'servfail' | 'refused' | 'garbage' | 'other-question' | 'other-number' | 'truncated' | 'truncated-silent' | 'spoofed'

interface DnsOptions {
  readonly port?: number
  /** IPv4 and IPv6 addresses of a name; null and undefined as for name servers. */
  readonly addresses?: Registry
  /** DS records of a name at its parent; null and undefined as for name servers. Absent: none. */
  readonly dsRecords?: (name: string) => readonly DsRecord[] | null | undefined
  readonly faultOf?: (name: string) => DnsFault | null
}

const types: Readonly<Record<number, 'A' | 'AAAA' | 'NS' | 'DS'>> = { 1: 'A', 28: 'AAAA', 2: 'NS', 43: 'DS' }
const headerBytes = 12
const codes = { servfail: 2, refused: 5, noName: 3 }
/** The address in spoofed answers. */
const spoofedAddress = '198.18.0.66'

/** A DNS server with configurable delegations and addresses; over UDP, and TCP for long answers. */
export async function startDnsSimulator(registry: Registry, options: DnsOptions = {}): Promise<DnsSimulator> {
  const { stream, socket } = await bindBoth(options.port ?? 0, (query) => answersTo(query, registry, options, 'tcp'))
  socket.on('message', (query, from) => {
    for (const answer of answersTo(query, registry, options, 'udp')) socket.send(answer, from.port, from.address)
  })
  return {
    address: `127.0.0.1:${stream.port}`,
    async close() {
      await stream.close()
      await new Promise<void>((resolve) => socket.close(() => resolve()))
    },
  }
}

/** UDP and TCP on one port. A free TCP port may be in use for UDP: then another one is tried. */
async function bindBoth(port: number, answersTo: (query: Buffer) => readonly Buffer[]): Promise<{ stream: DnsStream; socket: Socket }> {
  const stream = await createDnsStream(port, answersTo)
  const socket = createSocket('udp4')
  try {
    socket.bind(stream.port, '127.0.0.1')
    await once(socket, 'listening')
    return { stream, socket }
  } catch (error) {
    socket.close()
    await stream.close()
    if (port !== 0) throw error
    return bindBoth(port, answersTo)
  }
}

interface Question {
  readonly name: string
  readonly type: 'A' | 'AAAA' | 'NS' | 'DS' | null
  /** As it was sent. */
  readonly bytes: Buffer
}

function questionOf(query: Buffer): Question | null {
  if (query.length < headerBytes + 5) return null
  const labels: string[] = []
  let at = headerBytes
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length))
    at += length + 1
  }
  if (at + 5 > query.length) return null
  return {
    name: labels.join('.').toLowerCase(),
    type: types[query.readUInt16BE(at + 1)] ?? null,
    bytes: query.subarray(headerBytes, at + 5),
  }
}

function answersTo(query: Buffer, registry: Registry, options: DnsOptions, over: 'udp' | 'tcp'): readonly Buffer[] {
  const question = questionOf(query)
  if (question === null) return []
  const { name, type, bytes } = question
  const known = type === 'DS' ? dsDataOf(name, registry, options) : dataOf(name, type, registry, options)
  if (known === undefined) return []
  const records = type === null || known === null ? [] : known.map((data) => record(numbers[type], data))
  const right = () => message(query, known === null ? codes.noName : 0, bytes, records)
  switch (options.faultOf?.(name) ?? null) {
    case null:
      return [right()]
    case 'servfail':
      return [message(query, codes.servfail, bytes, [])]
    case 'refused':
      return [message(query, codes.refused, bytes, [])]
    case 'garbage':
      return [Buffer.concat([query.subarray(0, 2), Buffer.from('\xff\xff this is no DNS', 'latin1')])]
    case 'other-question':
      return [message(query, 0, Buffer.from('\x05other\x07example\0\0\x01\0\x01', 'latin1'), [spoofedRecord()])]
    case 'other-number':
      return [spoofed(query, bytes)]
    case 'spoofed':
      return [spoofed(query, bytes), right()]
    case 'truncated':
      return over === 'tcp' ? [right()] : [message(query, 0x200, bytes, [])]
    case 'truncated-silent':
      return over === 'tcp' ? [] : [message(query, 0x200, bytes, [])]
  }
}

/** The data of the records; null: the name does not exist; undefined: no response. */
function dataOf(name: string, type: 'A' | 'AAAA' | 'NS' | null, registry: Registry, { addresses = registry }: DnsOptions) {
  const known = (type === 'NS' ? registry : addresses)(name)
  if (known === null || known === undefined) return known
  if (type === null) return []
  return known.filter((value) => isIP(value) === { NS: 0, A: 4, AAAA: 6 }[type]).map((value) => bytesOf(type, value))
}

function dsDataOf(name: string, registry: Registry, { dsRecords = (asked) => registry(asked) && [] }: DnsOptions) {
  const known = dsRecords(name)
  return known === null
    ? null
    : known?.map(({ keyTag, algorithm, digestType, digest }) => {
        const head = Buffer.from([keyTag >> 8, keyTag & 0xff, algorithm, digestType])
        return Buffer.concat([head, Buffer.from(digest, 'hex')])
      })
}

const spoofed = (query: Buffer, question: Buffer): Buffer => {
  const answer = message(query, 0, question, [spoofedRecord()])
  answer.writeUInt16BE((answer.readUInt16BE(0) + 1) & 0xffff, 0)
  return answer
}

/** @param flags an error code, or the truncation flag. */
function message(query: Buffer, flags: number, question: Buffer, records: readonly Buffer[]): Buffer {
  const header = Buffer.alloc(headerBytes)
  query.copy(header, 0, 0, 2)
  // A response with recursion desired and available.
  header.writeUInt16BE(0x8180 | flags, 2)
  header.writeUInt16BE(1, 4)
  header.writeUInt16BE(records.length, 6)
  return Buffer.concat([header, question, ...records])
}

const numbers = { A: 1, AAAA: 28, NS: 2, DS: 43 }
const bytesOf = (type: 'A' | 'AAAA' | 'NS', value: string): Buffer =>
  type === 'NS' ? nameBytes(value) : type === 'A' ? Buffer.from(value.split('.').map(Number)) : ipv6Bytes(value)
const spoofedRecord = () => record(numbers.A, bytesOf('A', spoofedAddress))

function record(type: number, data: Buffer): Buffer {
  const head = Buffer.alloc(headerBytes)
  // A pointer to the name of the question.
  head.writeUInt16BE(0xc000 | headerBytes, 0)
  head.writeUInt16BE(type, 2)
  head.writeUInt16BE(1, 4)
  head.writeUInt32BE(300, 6)
  head.writeUInt16BE(data.length, 10)
  return Buffer.concat([head, data])
}

const nameBytes = (host: string): Buffer =>
  Buffer.concat([...host.split('.').map((label) => Buffer.from([label.length, ...Buffer.from(label)])), Buffer.from([0])])

function ipv6Bytes(address: string): Buffer {
  const dotted = /^(.*:)(\d+)\.(\d+)\.(\d+)\.(\d+)$/.exec(address)
  const hex = (high = '0', low = '0') => ((Number(high) << 8) | Number(low)).toString(16)
  const whole = dotted === null ? address : `${dotted[1] ?? ''}${hex(dotted[2], dotted[3])}:${hex(dotted[4], dotted[5])}`
  const [left = '', right] = whole.split('::')
  const groups = (part: string) => part.split(':').filter((group) => group !== '')
  const [before, after] = [groups(left), groups(right ?? '')]
  const zeros = Array.from({ length: 8 - before.length - after.length }, () => '0')
  return Buffer.from([...before, ...zeros, ...after].flatMap((group) => [parseInt(group, 16) >> 8, parseInt(group, 16) & 0xff]))
}
