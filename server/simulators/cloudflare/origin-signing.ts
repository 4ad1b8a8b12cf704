import { webcrypto } from 'node:crypto'
// The next package needs it.
import 'reflect-metadata'
import {
  BasicConstraintsExtension,
  ExtendedKeyUsageExtension,
  Pkcs10CertificateRequest,
  Pkcs10CertificateRequestGenerator,
  SubjectAlternativeNameExtension,
  X509CertificateGenerator,
} from '@peculiar/x509'

/** Signing as Origin CA does: the subject of the request is ignored, and the names are those of the call. */

const ECDSA = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const
const RSA = { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256', modulusLength: 2048, publicExponent: new Uint8Array([1, 0, 1]) } as const
const serverAuth = '1.3.6.1.5.5.7.3.1'
const clientAuth = '1.3.6.1.5.5.7.3.2'

type KeyPair = webcrypto.CryptoKeyPair
const makeKeys = (kind: typeof ECDSA | typeof RSA): Promise<KeyPair> => webcrypto.subtle.generateKey(kind, true, ['sign', 'verify'])
const authorities: { ecc?: Promise<KeyPair>; rsa?: Promise<KeyPair> } = {}
let example: Promise<string> | undefined

/** Null if it is not one. */
export function openRequest(csr: string): Pkcs10CertificateRequest | null {
  try {
    return new Pkcs10CertificateRequest(csr)
  } catch {
    return null
  }
}

/** Of certificates from before the panel. */
export function exampleRequest(): Promise<string> {
  example ??= makeKeys(ECDSA)
    .then((keys) => Pkcs10CertificateRequestGenerator.create({ name: 'CN=origin', keys: keys as never, signingAlgorithm: ECDSA }))
    .then((request) => request.toString('pem'))
  return example
}

export async function signOriginCertificate(order: {
  readonly id: string
  readonly csr: string
  readonly hostnames: readonly string[]
  readonly requestType: string
  readonly fromMs: number
  readonly untilMs: number
}): Promise<string> {
  const isRsa = order.requestType === 'origin-rsa'
  const keys = await (isRsa ? (authorities.rsa ??= makeKeys(RSA)) : (authorities.ecc ??= makeKeys(ECDSA)))
  const certificate = await X509CertificateGenerator.create({
    serialNumber: BigInt(order.id).toString(16),
    subject: 'O="CloudFlare, Inc.", OU=CloudFlare Origin CA, CN=CloudFlare Origin Certificate',
    issuer: `C=US, O="CloudFlare, Inc.", OU=CloudFlare Origin SSL ${isRsa ? '' : 'ECC '}Certificate Authority`,
    notBefore: new Date(order.fromMs),
    notAfter: new Date(order.untilMs),
    publicKey: new Pkcs10CertificateRequest(order.csr).publicKey,
    // The package has the types of browsers.
    signingKey: keys.privateKey as never,
    signingAlgorithm: isRsa ? RSA : ECDSA,
    extensions: [
      new BasicConstraintsExtension(false, undefined, true),
      new ExtendedKeyUsageExtension([clientAuth, serverAuth]),
      new SubjectAlternativeNameExtension(order.hostnames.map((value) => ({ type: 'dns' as const, value }))),
    ],
  })
  return `${certificate.toString('pem')}\n`
}
