import { domainToUnicode } from 'node:url'
import type { z } from 'zod'
import type { Database } from '#server/db/client.ts'
import { chooseOwner } from '#server/features/alerts/index.ts'
import { audit } from '#server/platform/audit.ts'
import type { Ctx, Services } from '#server/platform/context.ts'
import { grantsOf, requireLevel } from '#server/platform/access-scope.ts'
import { AppError } from '#shared/errors/app-error.ts'
import type { PublicStatus } from '#shared/features/monitoring/reports.ts'
import type { OfOwner, saveStatusPageInput, StatusPage } from '#shared/features/monitoring/settings.ts'
import { observedMs } from '../checks/observed.policy.ts'
import { findGroup } from '../settings.repo.ts'
import {
  deletePage,
  findPage,
  findPublicPage,
  listDaysOf,
  listGroupZones,
  listPages,
  listPublicIncidents,
  savePage,
} from './status-pages.repo.ts'

const keptMs = 30_000
const keptAtMost = 500
const kept = new WeakMap<Database, Map<string, { readonly untilMs: number; readonly status: Promise<PublicStatus> }>>()

/** One owner's pages. @throws AppError not_found for another user */
export const listStatusPages = async (ctx: Ctx, { ownerId }: OfOwner) => ({
  statusPages: await listPages(ctx.db.orm, await chooseOwner(ctx, ownerId)),
})

const entryOf = (groupId: string, group: { readonly ownerId: string; readonly name: string }) =>
  ({ action: 'update', entityType: 'group', entityId: groupId, entityName: group.name, ownerId: group.ownerId }) as const

/**
 * Publishes a group's domains to anyone with the address; only its owner may do so.
 * @throws AppError not_found, level_too_low, validation_failed for an address in use
 */
export async function saveStatusPage(ctx: Ctx, input: z.output<typeof saveStatusPageInput>): Promise<{ statusPage: StatusPage }> {
  await grantsOf(ctx)
  const { groupId, slug, title, enabled } = input
  return ctx.db.orm.transaction(async (tx) => {
    const group = await findGroup(tx, groupId)
    if (group === null) throw new AppError('not_found')
    await requireLevel(ctx, { ownerId: group.ownerId, groupId }, 'own')
    const before = await findPage(tx, groupId)
    await savePage(tx, { ownerId: group.ownerId, groupId, slug, title, enabled })
    await audit(tx, ctx, { ...entryOf(groupId, group), details: { statusPage: { from: before?.slug ?? null, to: slug }, enabled, title } })
    const statusPage = await findPage(tx, groupId)
    if (statusPage === null) throw new Error('the page was not saved')
    kept.delete(ctx.db)
    return { statusPage }
  })
}

/** @throws AppError not_found, level_too_low */
export async function removeStatusPage(ctx: Ctx, { groupId }: { readonly groupId: string }): Promise<void> {
  await grantsOf(ctx)
  await ctx.db.orm.transaction(async (tx) => {
    const group = await findGroup(tx, groupId)
    if (group === null) throw new AppError('not_found')
    await requireLevel(ctx, { ownerId: group.ownerId, groupId }, 'own')
    const before = await findPage(tx, groupId)
    if (before === null) return
    await deletePage(tx, groupId)
    await audit(tx, ctx, { ...entryOf(groupId, group), details: { statusPage: { from: before.slug, to: null } } })
    kept.delete(ctx.db)
  })
}

const [dayMs, days, most, mostIncidents] = [86_400_000, 90, 200, 50]
const iso = (written: string | null) => (written === null ? null : new Date(written).toISOString())
const readable = (name: string) => domainToUnicode(name) || name

async function readStatus({ db, clock }: Pick<Services, 'db' | 'clock'>, slug: string): Promise<PublicStatus> {
  const page = await findPublicPage(db.orm, slug)
  if (page === null) throw new AppError('not_found')
  const today = Math.floor(clock.now() / dayMs) * dayMs
  const dayNames = Array.from({ length: days }, (_, index) => new Date(today - (days - 1 - index) * dayMs).toISOString().slice(0, 10))
  const zones = await listGroupZones(db.orm, page.groupId, most, clock.now())
  const [sums, incidents] = await Promise.all([
    listDaysOf(
      db.orm,
      zones.map(({ id }) => id),
      new Date(today - (days - 1) * dayMs),
    ),
    listPublicIncidents(db.orm, page.groupId, new Date(clock.now() - 14 * dayMs), mostIncidents),
  ])
  const byZone = Map.groupBy(sums, ({ domainId }) => domainId)
  const share = (some: readonly { readonly checks: number; readonly failed: number }[]) => {
    const checks = some.reduce((sum, each) => sum + each.checks, 0)
    return checks === 0 ? null : 1 - some.reduce((sum, each) => sum + each.failed, 0) / checks
  }
  return {
    title: page.title,
    checkedAt: iso(
      zones.reduce<string | null>((last, { checkedAt: at }) => (at !== null && (last === null || at > last) ? at : last), null),
    ),
    domains: zones.map(({ id, name, health, intervalSeconds }) => {
      const own = byZone.get(id) ?? []
      const ofDay = new Map(own.map((each) => [each.day, each]))
      return {
        name: readable(name),
        health,
        uptime: share(own),
        observedMs: observedMs(
          own.map(({ day, most: checks }) => ({ at: `${day}T00:00:00Z`, checks })),
          dayMs,
          intervalSeconds,
          clock.now(),
        ),
        days: dayNames.map((day) => share([ofDay.get(day)].flatMap((each) => each ?? []))),
      }
    }),
    more: Math.max(0, (zones[0]?.total ?? 0) - zones.length),
    incidents: incidents.map((each) => ({
      name: readable(each.name),
      health: each.health,
      openedAt: new Date(each.openedAt).toISOString(),
      closedAt: iso(each.closedAt),
    })),
  }
}

/**
 * The public page, cached for half a minute: an unknown address costs at most one database lookup.
 * @throws AppError not_found
 */
export async function getPublicStatus(ctx: Pick<Services, 'db' | 'clock'>, slug: string): Promise<PublicStatus> {
  const mine = kept.get(ctx.db) ?? new Map<string, { readonly untilMs: number; readonly status: Promise<PublicStatus> }>()
  kept.set(ctx.db, mine)
  const now = ctx.clock.now()
  const found = mine.get(slug)
  if (found !== undefined && found.untilMs > now) return found.status
  mine.delete(slug)
  const reading = { untilMs: now + keptMs, status: readStatus(ctx, slug) }
  mine.set(slug, reading)
  try {
    const status = await reading.status
    // Only existing pages are cached, so that unknown addresses evict none.
    const [oldest] = mine.keys()
    if (mine.size > keptAtMost && oldest !== undefined) mine.delete(oldest)
    return status
  } catch (error) {
    if (mine.get(slug) === reading) mine.delete(slug)
    throw error
  }
}
