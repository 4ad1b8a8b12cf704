import { createHash, createPublicKey, KeyObject, webcrypto, X509Certificate } from 'node:crypto'
import { AppError } from '#shared/errors/app-error.ts'
import type { originKeyTypes } from '#shared/features/domains/origin-certificates/choices.ts'

export type KeyType = (typeof originKeyTypes)[number]

export interface SigningRequest {
  readonly csr: string
  readonly keyType: KeyType
  /** By which the certificate of this request is recognized. */
  readonly publicKeyHash: string
}

const algorithms = {
  rsa: { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256', modulusLength: 2048, publicExponent: new Uint8Array([1, 0, 1]) },
  ecc: { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' },
} as const

/** Loaded when it is needed, because most processes never do. The package needs the polyfill of `Reflect`. */
async function loadX509() {
  await import('reflect-metadata')
  return import('@peculiar/x509')
}

const hashOf = (spki: Uint8Array) => createHash('sha256').update(spki).digest('base64url')

/** A new key with its signing request; the names are only those of the certificate if the provider uses them. */
export async function createSigningRequest(
  keyType: KeyType,
  hostnames: readonly string[],
): Promise<SigningRequest & { readonly privateKey: string }> {
  const { Pkcs10CertificateRequestGenerator, SubjectAlternativeNameExtension } = await loadX509()
  const algorithm = algorithms[keyType]
  const keys = await webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify'])
  const request = await Pkcs10CertificateRequestGenerator.create({
    name: [{ CN: [(hostnames[0] ?? '').slice(0, 64)] }],
    // The package has the types of browsers.
    keys: keys as never,
    signingAlgorithm: algorithm,
    extensions: [new SubjectAlternativeNameExtension(hostnames.map((value) => ({ type: 'dns' as const, value })))],
  })
  return {
    csr: request.toString('pem'),
    keyType,
    publicKeyHash: hashOf(new Uint8Array(request.publicKey.rawData)),
    privateKey: KeyObject.from(keys.privateKey).export({ type: 'pkcs8', format: 'pem' }).toString(),
  }
}

const invalid = (message: string) => new AppError('validation_failed', { issues: [{ path: 'csr', message }] })

/** @throws AppError validation_failed if it is no signing request, is not signed with its own key, or has a key that no server should use */
export async function readSigningRequest(csr: string): Promise<SigningRequest> {
  const { Pkcs10CertificateRequest } = await loadX509()
  if (csr.includes('PRIVATE KEY')) throw invalid('csr_with_key')
  try {
    const request = new Pkcs10CertificateRequest(csr)
    const spki = Buffer.from(request.publicKey.rawData)
    const { asymmetricKeyType: type, asymmetricKeyDetails: details } = createPublicKey({ key: spki, format: 'der', type: 'spki' })
    const keyType = type === 'rsa' && (details?.modulusLength ?? 0) >= 2048 ? 'rsa' : type === 'ec' ? 'ecc' : null
    if (keyType === null) throw invalid('csr_key')
    if (!(await request.verify())) throw invalid('invalid_csr')
    return { csr: `${request.toString('pem')}\n`, keyType, publicKeyHash: hashOf(spki) }
  } catch (error) {
    throw error instanceof AppError ? error : invalid('invalid_csr')
  }
}

/** Of a certificate as the provider lists it; null if it is unreadable. */
export function publicKeyHashOf(certificate: string | null): string | null {
  if (certificate === null) return null
  try {
    return hashOf(new X509Certificate(certificate).publicKey.export({ type: 'spki', format: 'der' }))
  } catch {
    return null
  }
}
