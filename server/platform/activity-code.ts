import { activityAction, activityActorKind, activityEntity } from '#shared/features/activity/schema.ts'
import type { ActivityAction, ActivityActorKind, ActivityEntity } from '#shared/features/activity/schema.ts'

interface ActivityKind {
  readonly action: ActivityAction
  readonly entityType: ActivityEntity
  readonly actorKind: ActivityActorKind
  /** Who did it owns what was touched. */
  readonly own: boolean
}

const { options: actions } = activityAction
const { options: entities } = activityEntity
const { options: kinds } = activityActorKind

/**
 * Everything about an entry that has few values, in one small number: an index that begins with it finds any choice of them, each
 * code's entries in the order of time. New values of the enums go to their ends.
 */
export const activityCode = ({ action, entityType, actorKind, own }: ActivityKind): number =>
  (actions.indexOf(action) << 9) | (entities.indexOf(entityType) << 4) | (kinds.indexOf(actorKind) << 1) | Number(own)

/** The other way; null for what no version of the panel wrote. */
export function readActivityCode(code: number): ActivityKind | null {
  const [action, entityType, actorKind] = [actions[code >> 9], entities[(code >> 4) & 31], kinds[(code >> 1) & 7]]
  if (action === undefined || entityType === undefined || actorKind === undefined) return null
  return { action, entityType, actorKind, own: (code & 1) === 1 }
}

/** Only a person acts on what is their own, whatever acts for them. */
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

/** The codes of all entries that are so. */
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
