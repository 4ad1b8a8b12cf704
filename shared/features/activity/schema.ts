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
    /** Null for the panel itself and for somebody who is not signed in. */
    id: z.uuid().nullable(),
    name: z.string(),
    kind: activityActorKind,
    /** The token's name, where it is still there. */
    token: z.string().nullable(),
  }),
  /** Whose resource was touched; its name null where they are gone. */
  owner: z.object({ id: z.uuid(), name: z.string().nullable() }).nullable(),
  action: activityAction,
  entityType: activityEntity,
  entityId: z.string().nullable(),
  entityName: z.string().nullable(),
  /** The domain that was touched, while it is in the panel. */
  zoneId: z.uuid().nullable(),
  /** The operation that did it, or that it is about, where it is still there. */
  operation: z.object({ id: z.uuid(), kind: z.string() }).nullable(),
  /**
   * `{field: {from, to}}` for what was changed from something to something; otherwise what else there is to say. Null in a
   * list where they are long: ask for the one entry.
   */
  details: z.record(z.string(), z.unknown()).nullable(),
  /** Of who did it; of other people only administrators see it. */
  address: z.string().nullable(),
})
export type ActivityEntry = z.infer<typeof activityEntry>

export const activityFilter = z.object({
  action: activityAction.optional(),
  entityType: activityEntity.optional(),
  actorKind: activityActorKind.optional(),
  /** Who did it. */
  actorId: z.uuid().optional(),
  /** Whose resources; an administrator's choice, others see their own only. */
  ownerId: z.uuid().optional(),
  /** The first day and the last one. */
  from: z.iso.date({ error: 'invalid_day' }).optional(),
  to: z.iso.date({ error: 'invalid_day' }).optional(),
  /** Where days begin; the panel's where none is given. */
  timeZone: timeZone.optional(),
})
export type ActivityFilter = z.infer<typeof activityFilter>

export const listActivityInput = activityFilter.extend({
  /** The last entry of the page before. */
  cursor: z.uuid().optional(),
  limit: z.int().min(1).max(200).default(50),
})
export const listActivityOutput = z.object({ activityLogs: z.array(activityEntry), nextCursor: z.uuid().nullable() })

/** A part of the whole: comma-separated values, their headings in the first one, or the entries as JSON with commas between them. */
export const exportActivityInput = activityFilter.extend({
  /** The last entry of what one has already. */
  cursor: z.uuid().optional(),
  format: z.enum(['csv', 'json'], { error: 'invalid_value' }).default('csv'),
})
export const exportActivityOutput = z.object({ text: z.string(), nextCursor: z.uuid().nullable() })

export const getActivityInput = z.object({ id: z.uuid() })
export const activityAnswer = z.object({ activityLog: activityEntry })

export const activityStatsInput = z.object({
  ownerId: z.uuid().optional(),
  timeZone: timeZone.optional(),
  /** The day that a week begins with. */
  weekStart: z.enum(['monday', 'sunday']).default('monday'),
})
const count = z.int().nonnegative()
/** What of the last 7 days, the most frequent first. */
export const activityStats = z.object({
  windows: z.object({ total: count, today: count, week: count, month: count }),
  /** The last 7 days, oldest first; `denied` is a part of `count`. */
  days: z.array(z.object({ date: z.iso.date(), count, denied: count })),
  actions: z.array(z.object({ action: activityAction, count })),
  entities: z.array(z.object({ entityType: activityEntity, count })),
})
export type ActivityStats = z.infer<typeof activityStats>

/** Who has done something that the person may see, for the filter. */
export const activityPeople = z.object({ people: z.array(z.object({ id: z.uuid(), name: z.string() })) })
