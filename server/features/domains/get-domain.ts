import type { DomainDetails, DomainSettings } from '#shared/features/domains/schema.ts'
import { AppError } from '#shared/errors/app-error.ts'
import type { Ctx } from '#server/platform/context.ts'
import { findLevel, grantsOf, requireLevel, sharedOf } from '#server/platform/access-scope.ts'
import { findDetails } from './list/domain-details.repo.ts'
import type { DomainRow } from './list/domain-row.repo.ts'
import { findRow } from './list/domains.repo.ts'
import { isoOf, toAccessTarget, toDomain } from './list/domain-view.ts'
import { developmentModeAt, toDomainSettings } from './settings/domain-settings.ts'
import { listSettings } from './settings/zone-settings.repo.ts'
import { wantUnread } from './list/list-domains.ts'

/** @throws AppError not_found for an unknown zone or one without access. */
async function getRow(ctx: Ctx, id: string) {
  const row = await findRow(ctx.db, id)
  if (row === null) throw new AppError('not_found')
  await requireLevel(ctx, toAccessTarget(row), 'view')
  await wantUnread(ctx, [row])
  return row
}

async function shown(ctx: Ctx, row: DomainRow) {
  const own = row.ownerId === ctx.actor.userId || ctx.actor.role === 'admin'
  return toDomain(row, own ? null : sharedOf(ctx.actor, await grantsOf(ctx), toAccessTarget(row)))
}

export async function getDomain(ctx: Ctx, id: string) {
  return { zone: await shown(ctx, await getRow(ctx, id)) }
}

/**
 * For an actor who has just changed the domain, even if the change ended their access to it.
 * @throws AppError not_found
 */
export async function getChangedDomain(ctx: Ctx, id: string) {
  const row = await findRow(ctx.db, id)
  if (row === null) throw new AppError('not_found')
  return { zone: await shown(ctx, row) }
}

const iso = (written: string | null) => (written === null ? null : isoOf(written))

type Found = NonNullable<Awaited<ReturnType<typeof findDetails>>>

function certificatesOf({ certificates, row }: Found): DomainDetails['certificates'] {
  if (row.sslReadAt === null) return null
  const active = certificates.filter(({ state }) => state === 'active')
  const [expiresAt = null] = active.flatMap((one) => one.expiresAt ?? []).toSorted()
  return {
    universalEnabled: row.universalEnabled,
    total: certificates.length,
    active: active.length,
    expiresAt,
    readAt: isoOf(row.sslReadAt),
  }
}

/** Includes the fields that lists omit. */
export async function getDomainDetails(ctx: Ctx, id: string): Promise<{ zone: DomainDetails }> {
  const found = await findDetails(ctx.db, id)
  if (found === null) throw new AppError('not_found')
  const { row, details } = found
  await requireLevel(ctx, toAccessTarget(row), 'view')
  await wantUnread(ctx, [row])
  return {
    zone: {
      ...(await shown(ctx, row)),
      ...details,
      activatedAt: iso(row.activatedAt),
      modifiedAt: iso(row.providerModifiedAt),
      recordsReadAt: iso(row.recordsReadAt),
      recordsChangedAt: iso(row.recordsChangedAt),
      settingsReadAt: iso(row.settingsReadAt),
      ...developmentModeAt(ctx.clock.now(), row.developmentMode, Date.parse(isoOf(row.listedAt))),
      pageRulesUsed: row.pageRulesUsed,
      rulesCount: row.rulesCount,
      certificates: certificatesOf(found),
      _count: { dnsRecords: row.recordsCount },
    },
  }
}

/** Settings of many zones, as last read from the provider; zones that are unknown or without access are left out. */
export async function listDomainSettings(ctx: Ctx, ids: readonly string[]): Promise<Map<string, DomainSettings>> {
  const rows = await listSettings(ctx.db.orm, ids)
  const levels = await Promise.all(rows.map(({ accessTarget }) => findLevel(ctx, accessTarget)))
  const nowMs = ctx.clock.now()
  return new Map(rows.flatMap((row, index) => (levels[index] === null ? [] : [[row.id, toDomainSettings(row, nowMs)] as const])))
}

/** @throws AppError not_found */
export async function getDomainSettings(ctx: Ctx, id: string): Promise<{ settings: DomainSettings }> {
  await getRow(ctx, id)
  const settings = (await listDomainSettings(ctx, [id])).get(id)
  if (settings === undefined) throw new AppError('not_found')
  return { settings }
}
