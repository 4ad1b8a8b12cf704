import type { DomainDetails, DomainSettings } from '#shared/features/domains/schema.ts'
import { AppError } from '#shared/errors/app-error.ts'
import type { Ctx } from '#server/platform/context.ts'
import { domainOwners } from './domain-owners.ts'
import { findDetails, isoOf, listByIds, toDomain } from './domains.repo.ts'
import { wantUnread } from './want-unread.ts'

/** @throws AppError not_found for an unknown zone and for somebody else's. */
async function getRow(ctx: Ctx, id: string) {
  const [row] = await listByIds(ctx.db, await domainOwners(ctx), [id])
  if (row === undefined) throw new AppError('not_found')
  await wantUnread(ctx, [row])
  return row
}

export async function getDomain(ctx: Ctx, id: string) {
  return { zone: toDomain(await getRow(ctx, id)) }
}

const iso = (date: Date | null) => date?.toISOString() ?? null

/** With everything that lists leave out. */
export async function getDomainDetails(ctx: Ctx, id: string): Promise<{ zone: DomainDetails }> {
  const row = await getRow(ctx, id)
  const more = await findDetails(ctx.db, id)
  if (more === null) throw new AppError('not_found')
  return {
    zone: {
      ...toDomain(row),
      ...more.details,
      activatedAt: iso(more.activatedAt),
      modifiedAt: row.provider_modified_at === null ? null : isoOf(row.provider_modified_at),
      recordsReadAt: iso(more.recordsReadAt),
      settingsReadAt: iso(more.settingsReadAt),
      _count: { dnsRecords: row.records_count },
    },
  }
}

/** As last read from the provider, with its age. */
export async function getDomainSettings(ctx: Ctx, id: string): Promise<{ settings: DomainSettings }> {
  const row = await getRow(ctx, id)
  const more = await findDetails(ctx.db, id)
  if (more === null) throw new AppError('not_found')
  return {
    settings: {
      ssl: row.ssl_mode,
      minTlsVersion: row.tls_min,
      alwaysUseHttps: row.https,
      hsts: row.hsts,
      securityLevel: row.security_level,
      developmentMode: row.development_mode,
      values: more.settings,
      readAt: iso(more.settingsReadAt),
      ageSeconds: more.settingsReadAt === null ? null : Math.max(0, Math.round((ctx.clock.now() - more.settingsReadAt.getTime()) / 1000)),
    },
  }
}
