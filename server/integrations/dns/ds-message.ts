import type { PublishedDs } from '#server/ports/registry.ts'

/** DNS messages (RFC 1035) that ask for DS records (RFC 4034): Node's resolver does not know the type. */

const headerBytes = 12
const dsType = 43
const internetClass = 1
const [recursionDesired, response, truncated] = [0x0100, 0x8000, 0x0200]
const rcodeMask = 0xf
const noSuchName = 3
/** The longest name of a domain, and of one of its parts. */
const [longestName, longestLabel] = [253, 63]

/** The question; null if DNS cannot have such a name. */
export function dsQuery(name: string, id: number): Buffer | null {
  const labels = name.split('.')
  const isNamed = labels.every((label) => label.length > 0 && label.length <= longestLabel && /^[\x21-\x7e]+$/.test(label))
  if (!isNamed || name.length > longestName) return null
  const header = Buffer.alloc(headerBytes)
  header.writeUInt16BE(id, 0)
  header.writeUInt16BE(recursionDesired, 2)
  header.writeUInt16BE(1, 4)
  const encoded = labels.map((label) => Buffer.concat([Buffer.from([label.length]), Buffer.from(label, 'latin1')]))
  return Buffer.concat([header, ...encoded, Buffer.from([0, 0, dsType, 0, internetClass])])
}

/** `other`: not the answer to this question. `failed`: the server reports an error, or sent garbage. */
export type DsReply =
  | { readonly kind: 'found'; readonly records: readonly PublishedDs[] }
  | { readonly kind: 'other' | 'failed' | 'truncated' }

export function readDsReply(query: Buffer, reply: Buffer): DsReply {
  const question = query.subarray(headerBytes)
  const echoed = reply.subarray(headerBytes, headerBytes + question.length)
  if (reply.length < headerBytes || reply.readUInt16BE(0) !== query.readUInt16BE(0)) return { kind: 'other' }
  if (echoed.toString('latin1').toLowerCase() !== question.toString('latin1').toLowerCase()) return { kind: 'other' }
  const flags = reply.readUInt16BE(2)
  if ((flags & response) === 0) return { kind: 'other' }
  if ((flags & truncated) !== 0) return { kind: 'truncated' }
  const rcode = flags & rcodeMask
  if (rcode === noSuchName) return { kind: 'found', records: [] }
  if (rcode !== 0) return { kind: 'failed' }
  try {
    return { kind: 'found', records: readRecords(reply, headerBytes + question.length, reply.readUInt16BE(6)) }
  } catch (error) {
    // It ends within a record.
    if (error instanceof RangeError) return { kind: 'failed' }
    throw error
  }
}

function readRecords(reply: Buffer, from: number, count: number): PublishedDs[] {
  const records: PublishedDs[] = []
  let at = from
  for (let left = count; left > 0; left -= 1) {
    at = afterName(reply, at)
    // Its type, class, TTL and length.
    const [type, length] = [reply.readUInt16BE(at), reply.readUInt16BE(at + 8)]
    const data = at + 10
    if (type === dsType) {
      const digest = reply.subarray(data + 4, data + length)
      if (length <= 4 || digest.length !== length - 4) throw new RangeError('the record is too short')
      records.push({
        keyTag: reply.readUInt16BE(data),
        algorithm: reply.readUInt8(data + 2),
        digestType: reply.readUInt8(data + 3),
        digest: digest.toString('hex').toUpperCase(),
        ttlSeconds: reply.readUInt32BE(at + 4),
      })
    }
    at = data + length
  }
  return records
}

/** A name ends with an empty label or with a pointer to the rest. */
function afterName(reply: Buffer, from: number): number {
  let at = from
  for (let length = reply.readUInt8(at); length > 0; length = reply.readUInt8(at)) {
    if (length >= 0xc0) return at + 2
    at += length + 1
  }
  return at + 1
}
