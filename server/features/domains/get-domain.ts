import type { DomainDetails, DomainSettings } from '#shared/features/domains/schema.ts'
import { AppError } from '#shared/errors/app-error.ts'
import type { Ctx } from '#server/platform/context.ts'
import { domainOwners } from './domain-owners.ts'
import { findDetails, isoOf, listByIds, listSettings, toDomain } from './domains.repo.ts'
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

/** A running development mode differs at every reading, so `listedAt` is when its seconds were read. */
function developmentModeAt(nowMs: number, secondsThen: number, listedAt: Date) {
  const endsMs = listedAt.getTime() + secondsThen * 1000
  const left = secondsThen === 0 ? 0 : Math.max(0, Math.ceil((endsMs - nowMs) / 1000))
  return { developmentMode: left, developmentModeEndsAt: left === 0 ? null : new Date(endsMs).toISOString() }
}

type More = NonNullable<Awaited<ReturnType<typeof findDetails>>>

function certificatesOf({ certificates, universalEnabled, sslReadAt }: More): DomainDetails['certificates'] {
  if (sslReadAt === null) return null
  const active = certificates.filter(({ state }) => state === 'active')
  const [expiresAt = null] = active.flatMap((one) => one.expiresAt ?? []).toSorted()
  return { universalEnabled, total: certificates.length, active: active.length, expiresAt, readAt: sslReadAt.toISOString() }
}

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
      ...developmentModeAt(ctx.clock.now(), row.development_mode, more.listedAt),
      pageRulesUsed: more.pageRulesUsed,
      certificates: certificatesOf(more),
      _count: { dnsRecords: row.records_count },
    },
  }
}

/** Of many, as last read from the provider; a zone that is somebody else's or unknown is not among them. */
export async function listDomainSettings(ctx: Ctx, ids: readonly string[]): Promise<Map<string, DomainSettings>> {
  const rows = await listSettings(ctx.db, await domainOwners(ctx), ids)
  const nowMs = ctx.clock.now()
  return new Map(
    rows.map(({ id, readAt, developmentMode, listedAt, ...settings }) => [
      id,
      {
        ...settings,
        ...developmentModeAt(nowMs, developmentMode, listedAt),
        readAt: iso(readAt),
        ageSeconds: readAt === null ? null : Math.max(0, Math.round((nowMs - readAt.getTime()) / 1000)),
      },
    ]),
  )
}

/** @throws AppError not_found */
export async function getDomainSettings(ctx: Ctx, id: string): Promise<{ settings: DomainSettings }> {
  await getRow(ctx, id)
  const settings = (await listDomainSettings(ctx, [id])).get(id)
  if (settings === undefined) throw new AppError('not_found')
  return { settings }
}
