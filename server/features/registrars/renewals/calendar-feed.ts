import { createHash, randomBytes } from 'node:crypto'
import { domainToUnicode } from 'node:url'
import type { Transaction } from '#server/db/client.ts'
import { audit } from '#server/platform/audit.ts'
import type { AuditSource } from '#server/platform/audit.ts'
import type { Ctx, Services } from '#server/platform/context.ts'
import { AppError } from '#shared/errors/app-error.ts'
import { deleteFeed, findFeed, findFeedOwner, listByExpiry, saveFeed } from './renewals.repo.ts'
import { toCalendar } from './to-calendar.ts'

const hash = (token: string) => createHash('sha256').update(token).digest('base64url')
/** Two years ahead, and names that expired within the last month. */
const [pastMs, aheadMs] = [31 * 86_400_000, 731 * 86_400_000]
const mostNames = 100_000

export async function getCalendarFeed(ctx: Ctx): Promise<{ createdAt: string | null }> {
  return { createdAt: (await findFeed(ctx.db.orm, ctx.actor.userId))?.toISOString() ?? null }
}

const entryOf = (userId: string) =>
  ({ action: 'update', entityType: 'settings', entityId: userId, entityName: 'calendar', ownerId: userId }) as const

/**
 * Creates a private address for the actor's calendar and revokes the previous one. It is shown only this once.
 * @throws AppError unauthorized when the session ended in the meantime, so that no feed outlives it
 */
export async function createCalendarFeed(ctx: Ctx): Promise<{ path: string; createdAt: string }> {
  const token = randomBytes(32).toString('base64url')
  const createdAt = new Date(ctx.clock.now())
  await ctx.db.orm.transaction(async (tx) => {
    if ((await ctx.sessions.lockProof(tx, ctx.actor.sessionId)) === null) throw new AppError('unauthorized')
    await saveFeed(tx, ctx.actor.userId, hash(token), createdAt)
    await audit(tx, ctx, { ...entryOf(ctx.actor.userId), details: { calendarFeed: 'changed' } })
  })
  return { path: `/api/renewals.ics?token=${token}`, createdAt: createdAt.toISOString() }
}

export async function removeCalendarFeed(ctx: Ctx): Promise<void> {
  await ctx.db.orm.transaction((tx) => endCalendarFeedOf(ctx, tx, ctx.actor.userId))
}

/** Returns whether the person had a calendar address. */
export async function endCalendarFeedOf(by: AuditSource, tx: Transaction, userId: string): Promise<boolean> {
  const had = await deleteFeed(tx, userId)
  if (had) await audit(tx, by, { ...entryOf(userId), details: { calendarFeed: 'removed' } })
  return had
}

/** The owner of a calendar address; null when there is none. */
export const findCalendarOwner = ({ db }: Pick<Services, 'db'>, token: string): Promise<string | null> => findFeedOwner(db.orm, hash(token))

/** A person's calendar: only what is at their own registrars, and their own domains. */
export async function readCalendar({ db, clock }: Pick<Services, 'db' | 'clock'>, ownerId: string): Promise<string> {
  const now = clock.now()
  const rows = await listByExpiry(db.orm, {
    scope: { ownerId, sharedIds: [] },
    from: new Date(now - pastMs),
    to: new Date(now + aheadMs),
    after: null,
    limit: mostNames,
  })
  const names = rows.map(({ name, expiresAt, registrarName, heldBy }) => ({
    name: domainToUnicode(name) || name,
    day: new Date(expiresAt).toISOString().slice(0, 10),
    registrar: registrarName ?? heldBy ?? 'RDAP',
  }))
  return toCalendar(names, new Date(now))
}
