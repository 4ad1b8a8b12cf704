import type { z } from 'zod'
import { getPanelSettings } from '#server/features/settings/index.ts'
import type { Ctx } from '#server/platform/context.ts'
import { AppError } from '#shared/errors/app-error.ts'
import type { ActivityEntry, activityPeople, listActivityInput, listActivityOutput } from '#shared/features/activity/schema.ts'
import { findEntry, listEntries, listPeople } from './activity.repo.ts'
import { toEntry, viewerOf } from './activity-view.ts'

/** Maximum size of a list row's details, in bytes. */
const longestDetails = 4_000

/** Newest first. */
export async function listActivity(
  ctx: Ctx,
  { cursor, limit, ...filter }: z.output<typeof listActivityInput>,
): Promise<z.infer<typeof listActivityOutput>> {
  const viewer = viewerOf(ctx.actor)
  const timeZone = filter.timeZone ?? (await getPanelSettings(ctx)).timeZone
  const rows = await listEntries(ctx.db, {
    viewer,
    filter: { ...filter, timeZone },
    cursor: cursor ?? null,
    limit: limit + 1,
    longestDetails,
  })
  const page = rows.slice(0, limit)
  return {
    activityLogs: page.flatMap((row) => toEntry(row, viewer) ?? []),
    nextCursor: rows.length > limit ? (page.at(-1)?.id ?? null) : null,
  }
}

/** One entry with all its details. @throws AppError not_found */
export async function getActivity(ctx: Ctx, { id }: { readonly id: string }): Promise<{ activityLog: ActivityEntry }> {
  const viewer = viewerOf(ctx.actor)
  const row = await findEntry(ctx.db, viewer, id)
  const activityLog = row === null ? null : toEntry(row, viewer)
  if (activityLog === null) throw new AppError('not_found')
  return { activityLog }
}

/** The people available as filter. */
export const listActivityPeople = async (ctx: Ctx): Promise<z.infer<typeof activityPeople>> => ({
  people: await listPeople(ctx.db, viewerOf(ctx.actor)),
})
