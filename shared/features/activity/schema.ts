import { z } from 'zod'
import { timeZone } from '#shared/features/settings/schema.ts'
import { activityActions, activityActorKinds, activityEntities } from './names.ts'

export const activityAction = z.enum(activityActions)
export type ActivityAction = z.infer<typeof activityAction>
export const activityEntity = z.enum(activityEntities)
export type ActivityEntity = z.infer<typeof activityEntity>
export const activityActorKind = z.enum(activityActorKinds)
export type ActivityActorKind = z.infer<typeof activityActorKind>

export const activityEntry = z.object({
  id: z.uuid(),
  createdAt: z.iso.datetime(),
  actor: z.object({
    /** Null for the panel itself and for anonymous visitors. */
    id: z.uuid().nullable(),
    name: z.string(),
    kind: activityActorKind,
    /** The token's name, if it still exists. */
    token: z.string().nullable(),
  }),
  /** The owner of the resource; the name is null if the user was deleted. */
  owner: z.object({ id: z.uuid(), name: z.string().nullable() }).nullable(),
  action: activityAction,
  entityType: activityEntity,
  entityId: z.string().nullable(),
  entityName: z.string().nullable(),
  /** The affected domain, while it is in the panel. */
  zoneId: z.uuid().nullable(),
  /** The operation that made the change or that the entry is about, if it still exists. */
  operation: z.object({ id: z.uuid(), kind: z.string() }).nullable(),
  /** `{field: {from, to}}` for changed fields, and further details. Null in a list if they are long: fetch the single entry. */
  details: z.record(z.string(), z.unknown()).nullable(),
  /** The actor's IP address; only administrators see those of other users. */
  address: z.string().nullable(),
})
export type ActivityEntry = z.infer<typeof activityEntry>

export const activityFilter = z.object({
  action: activityAction.optional(),
  entityType: activityEntity.optional(),
  actorKind: activityActorKind.optional(),
  /** The actor. */
  actorId: z.uuid().optional(),
  /** The owner of the resources; only administrators can choose another user. */
  ownerId: z.uuid().optional(),
  /** The first and the last day. */
  from: z.iso.date({ error: 'invalid_day' }).optional(),
  to: z.iso.date({ error: 'invalid_day' }).optional(),
  /** The time zone of the days; defaults to the panel's. */
  timeZone: timeZone.optional(),
})
export type ActivityFilter = z.infer<typeof activityFilter>

export const listActivityInput = activityFilter.extend({
  /** The last entry of the previous page. */
  cursor: z.uuid().optional(),
  limit: z.int().min(1).max(200).default(50),
})
export const listActivityOutput = z.object({ activityLogs: z.array(activityEntry), nextCursor: z.uuid().nullable() })

/** A chunk of the export: CSV with the header in the first chunk, or comma-separated JSON entries. */
export const exportActivityInput = activityFilter.extend({
  /** The last entry of the previous chunk. */
  cursor: z.uuid().optional(),
  format: z.enum(['csv', 'json'], { error: 'invalid_value' }).default('csv'),
})
export const exportActivityOutput = z.object({ text: z.string(), nextCursor: z.uuid().nullable() })

export const getActivityInput = z.object({ id: z.uuid() })
export const activityAnswer = z.object({ activityLog: activityEntry })

export const activityStatsInput = z.object({
  ownerId: z.uuid().optional(),
  timeZone: timeZone.optional(),
  /** The first day of the week. */
  weekStart: z.enum(['monday', 'sunday']).default('monday'),
})
const count = z.int().nonnegative()
/** The most frequent actions of the last 7 days. */
export const activityStats = z.object({
  windows: z.object({ total: count, today: count, week: count, month: count }),
  /** The last 7 days, oldest first; `denied` is included in `count`. */
  days: z.array(z.object({ date: z.iso.date(), count, denied: count })),
  actions: z.array(z.object({ action: activityAction, count })),
  entities: z.array(z.object({ entityType: activityEntity, count })),
})
export type ActivityStats = z.infer<typeof activityStats>

/** Actors whose entries the user can see, for the filter. */
export const activityPeople = z.object({ people: z.array(z.object({ id: z.uuid(), name: z.string() })) })
