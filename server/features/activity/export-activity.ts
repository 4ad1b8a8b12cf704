import type { z } from 'zod'
import { getPanelSettings } from '#server/features/settings/index.ts'
import type { Ctx } from '#server/platform/context.ts'
import { byteOrderMark, csvLine } from '#shared/csv.ts'
import type { ActivityEntry, exportActivityInput, exportActivityOutput } from '#shared/features/activity/schema.ts'
import { partsOfPerson } from '#shared/features/users/person-label.ts'
import { listEntries } from './activity.repo.ts'
import { toEntry, viewerOf } from './activity-view.ts'

const rowsPerBatch = 2_000
const anyLength = 2 ** 31 - 1

/** Headings are the same in every language, so that scripts can read the file. */
const fields = {
  time: (entry) => entry.createdAt,
  actor: (entry) => entry.actor.name,
  actor_id: (entry) => entry.actor.id,
  // At the time of the action, even if the user has been deleted or renamed since.
  actor_username: ({ actor }) => (actor.id === null ? null : partsOfPerson(actor.name).username),
  by: (entry) => entry.actor.kind,
  token: (entry) => entry.actor.token,
  operation: (entry) => entry.operation?.id,
  action: (entry) => entry.action,
  entity: (entry) => entry.entityType,
  name: (entry) => entry.entityName,
  entityId: (entry) => entry.entityId,
  owner: (entry) => entry.owner?.name ?? entry.owner?.id,
  address: (entry) => entry.address,
  details: (entry) => JSON.stringify(entry.details),
  id: (entry) => entry.id,
} satisfies Record<string, (entry: ActivityEntry) => string | null | undefined>

/** Read in parts, so that neither side holds the whole log. */
export async function exportActivity(
  ctx: Ctx,
  { cursor, format, ...filter }: z.output<typeof exportActivityInput>,
): Promise<z.infer<typeof exportActivityOutput>> {
  const viewer = viewerOf(ctx.actor)
  const timeZone = filter.timeZone ?? (await getPanelSettings(ctx)).timeZone
  const page = { viewer, filter: { ...filter, timeZone }, cursor: cursor ?? null, limit: rowsPerBatch, longestDetails: anyLength }
  const rows = await listEntries(ctx.db, page)
  const entries = rows.flatMap((row) => toEntry(row, viewer) ?? [])
  const nextCursor = rows.length < rowsPerBatch ? null : (rows.at(-1)?.id ?? null)
  if (format === 'json') return { text: entries.map((entry) => JSON.stringify(entry)).join(','), nextCursor }
  const lines = entries.map((entry) => csvLine(Object.values(fields).map((field) => field(entry))))
  const head = cursor === undefined ? [byteOrderMark, csvLine(Object.keys(fields))] : []
  return { text: [...head, ...lines].join(''), nextCursor }
}
