import { randomUUID } from 'node:crypto'
import { domainToASCII } from 'node:url'
import type { z } from 'zod'
import { audit } from '#server/platform/audit.ts'
import type { Ctx } from '#server/platform/context.ts'
import { AppError } from '#shared/errors/app-error.ts'
import type {
  issuedOriginCertificate,
  issueOriginCertificateInput,
  originCertificateAnswer,
  signOriginCertificateInput,
} from '#shared/features/domains/origin-certificates/schema.ts'
import type { HostedOriginCertificate } from '#server/ports/dns-host.ts'
import { openZone } from '../access/open-zone.ts'
import type { OpenZone } from '../access/open-zone.ts'
import { serializeZoneChanges } from '../access/serialize-zone-changes.ts'
import { originKeyContext, toDetails, toRead } from './origin-certificate-view.ts'
import { deleteCertificate, insertPending, upsertCertificate } from './origin-certificates.repo.ts'
import type { OriginCertificateRow } from './origin-certificates.repo.ts'
import { createSigningRequest, publicKeyHashOf, readSigningRequest } from './signing-request.ts'
import type { SigningRequest } from './signing-request.ts'

const call = { priority: 'person' } as const

/**
 * In Punycode, each once; by default the domain and its subdomains. The provider accepts those of other domains of the account, but access is
 * granted for this domain.
 * @throws AppError validation_failed
 */
function hostnamesOf({ name }: OpenZone, given: readonly string[] | undefined): string[] {
  if (given === undefined) return [name, `*.${name}`]
  const all = given.map((each) => (each.startsWith('*.') ? `*.${domainToASCII(each.slice(2))}` : domainToASCII(each)))
  const issues = all.flatMap((each, index) => {
    const base = each.startsWith('*.') ? each.slice(2) : each
    const own = !base.includes('*') && (base === name || base.endsWith(`.${name}`))
    return own ? [] : [{ path: `hostnames.${index}`, message: 'foreign_hostname' }]
  })
  if (issues.length > 0) throw new AppError('validation_failed', { issues })
  return [...new Set(all)]
}

interface Order {
  readonly zone: OpenZone
  readonly request: SigningRequest
  readonly hostnames: readonly string[]
  readonly validityDays: number
}

/**
 * After a lost response, the certificate is looked for by its public key.
 * @throws AppError provider_*
 */
async function issueAtProvider({ zone, request, hostnames, validityDays }: Order): Promise<HostedOriginCertificate> {
  const order = { csr: request.csr, hostnames, requestType: `origin-${request.keyType}`, validityDays } as const
  try {
    return await zone.connection.issueOriginCertificate(order, call)
  } catch (error) {
    if (!(error instanceof AppError) || !error.isUnclear) throw error
    const all = await zone.connection.listOriginCertificates(zone.providerZoneId, call).catch(() => [])
    const found = all.find(({ certificate }) => publicKeyHashOf(certificate) === request.publicKeyHash)
    if (found === undefined) throw error
    return found
  }
}

async function record(ctx: Ctx, { zone }: Order, hosted: HostedOriginCertificate, kept: boolean): Promise<OriginCertificateRow> {
  return ctx.db.orm.transaction(async (tx) => {
    const row = await upsertCertificate(tx, zone.id, toRead(hosted))
    await audit(tx, ctx, {
      action: 'update',
      entityType: 'zone',
      entityId: zone.id,
      entityName: zone.name,
      ownerId: zone.ownerId,
      details: {
        originCertificate: kept ? 'issued_key_kept' : 'issued',
        hostnames: hosted.hostnames,
        expiresAt: hosted.expiresAt?.toISOString() ?? null,
      },
    })
    await ctx.events.publish(tx, zone.ownerId, 'domains', [zone.accountId])
    // The domain was deleted in the meantime; the certificate exists.
    if (row === null) throw new AppError('not_found')
    return row
  })
}

const unclear = (error: AppError, keyKept: boolean) =>
  new AppError(keyKept ? 'origin_certificate_unclear_kept' : 'origin_certificate_unclear', {
    ...(error.provider === undefined ? {} : { provider: error.provider }),
    cause: error,
  })

/**
 * Issues a certificate for a new key. The key is in this answer only, unless it is to be kept: then it is stored encrypted before the
 * certificate is ordered, so that a lost response cannot lose it.
 * @throws AppError not_found, level_too_low, validation_failed, provider_*, origin_certificate_unclear, origin_certificate_unclear_kept
 */
export async function issueOriginCertificate(
  ctx: Ctx,
  { id, hostnames: given, keyType, validityDays, keepKey }: z.output<typeof issueOriginCertificateInput>,
): Promise<z.output<typeof issuedOriginCertificate>> {
  const zone = await openZone(ctx, id)
  const hostnames = hostnamesOf(zone, given)
  const { privateKey, ...request } = await createSigningRequest(keyType, hostnames)
  const order = { zone, request, hostnames, validityDays }
  const pendingId = keepKey ? randomUUID() : null
  if (pendingId !== null) {
    const keySealed = ctx.secrets.encrypt(privateKey, originKeyContext(pendingId))
    const { publicKeyHash } = request
    const pending = { id: pendingId, domainId: id, hostnames, type: keyType, validityDays, publicKeyHash, keySealed }
    if (!(await ctx.db.orm.transaction((tx) => insertPending(tx, pending)))) throw new AppError('not_found')
  }
  return serializeZoneChanges(id, async () => {
    try {
      const hosted = await issueAtProvider(order)
      const row = await record(ctx, order, hosted, keepKey)
      return { certificate: toDetails(row, ctx.clock.now()), privateKey }
    } catch (error) {
      if (error instanceof AppError && error.isUnclear) throw unclear(error, keepKey)
      if (pendingId !== null && error instanceof AppError) await ctx.db.orm.transaction((tx) => deleteCertificate(tx, pendingId))
      throw error
    }
  })
}

/**
 * Issues a certificate for a key that the panel never sees.
 * @throws AppError not_found, level_too_low, validation_failed, provider_*
 */
export async function signOriginCertificate(
  ctx: Ctx,
  { id, hostnames: given, csr, validityDays }: z.output<typeof signOriginCertificateInput>,
): Promise<z.output<typeof originCertificateAnswer>> {
  const zone = await openZone(ctx, id)
  const hostnames = hostnamesOf(zone, given)
  const order = { zone, request: await readSigningRequest(csr), hostnames, validityDays }
  return serializeZoneChanges(id, async () => {
    const row = await record(ctx, order, await issueAtProvider(order), false)
    return { certificate: toDetails(row, ctx.clock.now()) }
  })
}
