import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto'
import type { z } from 'zod'
import type { passkeyCreated, passkeyCreation, passkeyRequest, passkeyResponse } from '#shared/features/two-factor/schema.ts'

const text = (value: Buffer) => value.toString('base64url')
const sha256 = (value: string | Buffer) => createHash('sha256').update(value).digest()
const cborText = (value: string) => Buffer.concat([Buffer.from([0x60 + value.length]), Buffer.from(value)])
const cborBytes = (value: Buffer) => Buffer.concat([Buffer.from([0x59, value.length >> 8, value.length & 0xff]), value])

const present = 0x01
const verified = 0x04
const withCredential = 0x40

/** The bytes of a secret as entered into authenticator apps. */
export function fromBase32(secret: string): Buffer {
  const bits = Array.from(secret, (letter) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(letter).toString(2).padStart(5, '0')).join('')
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)))
}

/** A security key with one passkey, as used by a browser: ES256, no attestation. */
export function createAuthenticator(origin: string, { verifies = true }: { readonly verifies?: boolean } = {}) {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
  const id = randomBytes(16)
  let counter = 0
  let handle: string | undefined

  const clientData = (type: string, challenge: string) => Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }))
  const authenticatorData = (rpId: string, flags: number, rest = Buffer.alloc(0)) => {
    counter += 1
    const count = Buffer.alloc(4)
    count.writeUInt32BE(counter)
    return Buffer.concat([sha256(rpId), Buffer.from([flags | present | (verifies ? verified : 0)]), count, rest])
  }
  const credential = { id: text(id), rawId: text(id), type: 'public-key' as const, clientExtensionResults: {} }

  return {
    create({ challenge, rp, user }: z.infer<typeof passkeyCreation>): z.input<typeof passkeyCreated> {
      handle = user.id
      const key = Buffer.concat([
        Buffer.from([0xa5, 1, 2, 3, 0x26, 0x20, 1, 0x21, 0x58, 32]),
        Buffer.from(x, 'base64url'),
        Buffer.from([0x22, 0x58, 32]),
        Buffer.from(y, 'base64url'),
      ])
      const data = authenticatorData(rp.id, withCredential, Buffer.concat([Buffer.alloc(16), Buffer.from([0, id.length]), id, key]))
      const attestation = [
        cborText('fmt'),
        cborText('none'),
        cborText('attStmt'),
        Buffer.from([0xa0]),
        cborText('authData'),
        cborBytes(data),
      ]
      const attestationObject = text(Buffer.concat([Buffer.from([0xa3]), ...attestation]))
      return { ...credential, response: { clientDataJSON: text(clientData('webauthn.create', challenge)), attestationObject } }
    },
    get({ challenge, rpId }: z.infer<typeof passkeyRequest>): z.input<typeof passkeyResponse> {
      const data = authenticatorData(rpId, 0)
      const client = clientData('webauthn.get', challenge)
      const signature = sign('sha256', Buffer.concat([data, sha256(client)]), privateKey)
      return {
        ...credential,
        response: {
          clientDataJSON: text(client),
          authenticatorData: text(data),
          signature: text(signature),
          ...(handle === undefined ? {} : { userHandle: handle }),
        },
      }
    },
  }
}
