import { createHmac, timingSafeEqual } from 'node:crypto'

const stepSeconds = 30
/** Clocks of phones are off by seconds, and typing takes time: the previous and the next step are accepted too. */
const tolerance = [0, -1, 1]

/** RFC 6238 with the defaults of all apps: SHA-1, 30 seconds, 6 digits. */
export function totpCode(secret: Buffer, step: number): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(step))
  const mac = createHmac('sha1', secret).update(counter).digest()
  const offset = mac.readUInt8(mac.length - 1) & 0x0f
  return String((mac.readUInt32BE(offset) & 0x7fffffff) % 1_000_000).padStart(6, '0')
}

/** The step of a six-digit code; null if it is not valid now. */
export function findTotpStep(secret: Buffer, code: string, nowMs: number): number | null {
  const now = Math.floor(nowMs / 1000 / stepSeconds)
  const given = Buffer.from(code)
  const steps = tolerance.map((difference) => now + difference)
  return steps.find((step) => given.length === 6 && timingSafeEqual(Buffer.from(totpCode(secret, step)), given)) ?? null
}

const base32Letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** RFC 4648 without padding, as apps expect a secret. */
export function base32(bytes: Buffer): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('')
  return (bits.match(/.{1,5}/g) ?? []).map((five) => base32Letters.charAt(Number.parseInt(five.padEnd(5, '0'), 2))).join('')
}

/** The content of the QR code. */
export function totpUri(secret: Buffer, account: string): string {
  const issuer = 'Zonedeck'
  return `otpauth://totp/${issuer}:${encodeURIComponent(account)}?secret=${base32(secret)}&issuer=${issuer}`
}
