/** The server name in a TLS ClientHello; null: none, or not a ClientHello. */
export function nameInClientHello(bytes: Buffer): string | null {
  const handshake = 0x16
  if (bytes[0] !== handshake) return null
  // Record and handshake headers, version, random.
  let at = 5 + 4 + 2 + 32
  at += 1 + (bytes[at] ?? 0)
  at += 2 + u16(bytes, at)
  at += 1 + (bytes[at] ?? 0)
  const end = at + 2 + u16(bytes, at)
  at += 2
  while (at + 4 <= end && at + 4 <= bytes.length) {
    const [type, size] = [u16(bytes, at), u16(bytes, at + 2)]
    at += 4
    // A list of one name, of kind "host".
    if (type === 0) return bytes.toString('latin1', at + 5, at + 5 + u16(bytes, at + 3)).toLowerCase()
    at += size
  }
  return null
}

const u16 = (bytes: Buffer, at: number): number => (at + 2 <= bytes.length ? bytes.readUInt16BE(at) : 0)
