import { activityActions, activityActorKinds, activityEntities } from '#shared/features/activity/names.ts'
import { compact, searchParams } from '#client/lib/search-params.ts'
import type { Inputs, Outputs } from '#client/lib/trpc.ts'

export type Entry = Outputs['activity']['list']['activityLogs'][number]
export type ActivityQuery = Omit<NonNullable<Inputs['activity']['list']>, 'cursor' | 'limit'>

/** The options of the filters (R-LOG-02): all possible values of entries. */
export const actions = activityActions
export const entities = activityEntities
export const kinds = activityActorKinds

/** The URL parameters of the log. */
export interface ActivitySearch {
  action?: Entry['action']
  entity?: Entry['entityType']
  by?: Entry['actor']['kind']
  user?: string
  owner?: string
  /** Days, both inclusive. */
  from?: string
  to?: string
}

export const dayParam = (text: string | undefined): string | undefined =>
  text !== undefined && /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text)) ? text : undefined

export function parseActivitySearch(raw: unknown): ActivitySearch {
  const { text, id, oneOf } = searchParams(raw)
  return compact<ActivitySearch>({
    action: oneOf('action', actions),
    entity: oneOf('entity', entities),
    by: oneOf('by', kinds),
    user: id('user'),
    owner: id('owner'),
    from: dayParam(text('from')),
    to: dayParam(text('to')),
  })
}

/** Days are local dates. */
export const timeZone = Intl.DateTimeFormat().resolvedOptions().timeZone

export const queryOf = ({ action, entity, by, user, owner, from, to }: ActivitySearch): ActivityQuery =>
  compact<ActivityQuery>({ action, entityType: entity, actorKind: by, actorId: user, ownerId: owner, from, to, timeZone })
