import { createHash, createPrivateKey, createPublicKey, generateKeyPairSync, sign } from 'node:crypto'
import type { KeyObject } from 'node:crypto'

/** A certificate authority (P-256, ECDSA with SHA-256): the platform has nothing that creates X.509 certificates. */
interface Authority {
  /** Its own certificate, PEM. */
  readonly root: string
  issue(request: {
    readonly names: readonly string[]
    readonly notBefore: Date
    readonly notAfter: Date
    /** Self-signed instead of signed by the authority. */
    readonly selfSigned?: boolean
  }): { readonly key: string; readonly cert: string }
}

const tlv = (tag: number, ...parts: readonly Buffer[]): Buffer => {
  const body = Buffer.concat(parts)
  const size = body.length
  const length = size < 0x80 ? [size] : size < 0x100 ? [0x81, size] : [0x82, size >> 8, size & 0xff]
  return Buffer.concat([Buffer.from([tag, ...length]), body])
}
const sequence = (...parts: readonly Buffer[]) => tlv(0x30, ...parts)
const oid = (hex: string) => tlv(0x06, Buffer.from(hex, 'hex'))
const whole = (hex: string) => tlv(0x02, Buffer.from(hex, 'hex'))
const bits = (bytes: Buffer) => tlv(0x03, Buffer.from([0]), bytes)
const utf8 = (text: string) => tlv(0x0c, Buffer.from(text))
const time = (at: Date) =>
  tlv(
    0x18,
    Buffer.from(
      `${at
        .toISOString()
        .replace(/[-:T]|\.\d+/g, '')
        .slice(0, 14)}Z`,
    ),
  )

const ecdsaWithSha256 = sequence(oid('2a8648ce3d040302'))
const nameOf = (organization: string, common: string) =>
  sequence(tlv(0x31, sequence(oid('55040a'), utf8(organization))), tlv(0x31, sequence(oid('550403'), utf8(common))))
const extension = (id: string, critical: boolean, value: Buffer) =>
  sequence(oid(id), ...(critical ? [Buffer.from([0x01, 0x01, 0xff])] : []), tlv(0x04, value))
const isAuthority = extension('551d13', true, sequence(Buffer.from([0x01, 0x01, 0xff])))
const forNames = (names: readonly string[]) => extension('551d11', false, sequence(...names.map((name) => tlv(0x82, Buffer.from(name)))))

const pem = (der: Buffer) =>
  `-----BEGIN CERTIFICATE-----\n${der.toString('base64').replace(/.{64}/g, '$&\n').trimEnd()}\n-----END CERTIFICATE-----\n`

interface Contents {
  readonly serial: string
  readonly issuer: Buffer
  readonly subject: Buffer
  readonly notBefore: Date
  readonly notAfter: Date
  readonly key: KeyObject
  readonly extensions: readonly Buffer[]
}

function certificate({ serial, issuer, subject, notBefore, notAfter, key, extensions }: Contents, signer: KeyObject): string {
  const body = sequence(
    tlv(0xa0, whole('02')),
    whole(serial),
    ecdsaWithSha256,
    issuer,
    sequence(time(notBefore), time(notAfter)),
    subject,
    key.export({ type: 'spki', format: 'der' }),
    tlv(0xa3, sequence(...extensions)),
  )
  return pem(sequence(body, ecdsaWithSha256, bits(sign('sha256', body, signer))))
}

const dayMs = 86_400_000

export function createAuthority(nowMs: number): Authority {
  const pair = () => generateKeyPairSync('ec', { namedCurve: 'prime256v1' })
  const own = pair()
  const issuer = nameOf(
    'Zonedeck simulators',
    `Authority ${createHash('sha256')
      .update(own.publicKey.export({ type: 'spki', format: 'der' }))
      .digest('hex')
      .slice(0, 8)}`,
  )
  const root = certificate(
    {
      serial: '01',
      issuer,
      subject: issuer,
      notBefore: new Date(nowMs - 3650 * dayMs),
      notAfter: new Date(nowMs + 3650 * dayMs),
      key: own.publicKey,
      extensions: [isAuthority],
    },
    own.privateKey,
  )
  // One key for all, because only the certificates matter.
  const { privateKey } = pair()
  const key = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
  const publicKey = createPublicKey(createPrivateKey(key))
  return {
    root,
    issue({ names, notBefore, notAfter, selfSigned = false }) {
      const serial = `40${createHash('sha256').update(`${names.join()} ${notAfter.toISOString()}`).digest('hex').slice(0, 30)}`
      const subject = nameOf('Zonedeck simulators', names[0] ?? 'nobody')
      const contents = {
        serial,
        issuer: selfSigned ? subject : issuer,
        subject,
        notBefore,
        notAfter,
        key: publicKey,
        extensions: [forNames(names)],
      }
      return { key, cert: certificate(contents, selfSigned ? privateKey : own.privateKey) }
    },
  }
}
