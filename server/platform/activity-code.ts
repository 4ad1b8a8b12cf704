import { activityAction, activityActorKind, activityEntity } from '#shared/features/activity/schema.ts'
import type { ActivityAction, ActivityActorKind, ActivityEntity } from '#shared/features/activity/schema.ts'

interface ActivityKind {
  readonly action: ActivityAction
  readonly entityType: ActivityEntity
  readonly actorKind: ActivityActorKind
  /** Whether the actor owns the object. */
  readonly own: boolean
}

const { options: actions } = activityAction
const { options: entities } = activityEntity
const { options: kinds } = activityActorKind

/**
 * All attributes of an entry with few values, encoded in one small number. An index that starts with it finds any combination of them, each
 * code's entries in order of time. Append new enum values at the end.
 */
export const activityCode = ({ action, entityType, actorKind, own }: ActivityKind): number =>
  (actions.indexOf(action) << 9) | (entities.indexOf(entityType) << 4) | (kinds.indexOf(actorKind) << 1) | Number(own)

/** Decodes an activity code; null for a code that no version of the panel writes. */
export function readActivityCode(code: number): ActivityKind | null {
  const [action, entityType, actorKind] = [actions[code >> 9], entities[(code >> 4) & 31], kinds[(code >> 1) & 7]]
  if (action === undefined || entityType === undefined || actorKind === undefined) return null
  return { action, entityType, actorKind, own: (code & 1) === 1 }
}

/** Only people act on their own objects, also through a token. */
const owning = new Set<ActivityActorKind>(['user', 'token', 'operation'])

const everyCode = actions.flatMap((action) =>
  entities.flatMap((entityType) =>
    kinds.flatMap((actorKind) =>
      (owning.has(actorKind) ? [false, true] : [false]).map((own) => ({
        action,
        entityType,
        actorKind,
        own,
        code: activityCode({ action, entityType, actorKind, own }),
      })),
    ),
  ),
)

/** The codes of all entries that match the filter. */
export const listActivityCodes = (wanted: { readonly [K in keyof ActivityKind]?: ActivityKind[K] | undefined }): number[] =>
  everyCode
    .filter(
      (kind) =>
        (wanted.action === undefined || kind.action === wanted.action) &&
        (wanted.entityType === undefined || kind.entityType === wanted.entityType) &&
        (wanted.actorKind === undefined || kind.actorKind === wanted.actorKind) &&
        (wanted.own === undefined || kind.own === wanted.own),
    )
    .map(({ code }) => code)
