import { activityActions, activityActorKinds, activityEntities } from '#shared/features/activity/names.ts'
import type { Inputs, Outputs } from '#client/lib/trpc.ts'

export type Entry = Outputs['activity']['list']['activityLogs'][number]
export type ActivityQuery = Omit<NonNullable<Inputs['activity']['list']>, 'cursor' | 'limit'>

/** The choices of the filters (R-LOG-02): all that an entry can be. */
export const actions = activityActions
export const entities = activityEntities
export const kinds = activityActorKinds

/** What the log keeps in its address, and nowhere else. */
export interface ActivitySearch {
  action?: Entry['action']
  entity?: Entry['entityType']
  by?: Entry['actor']['kind']
  user?: string
  owner?: string
  /** Days, both included. */
  from?: string
  to?: string
}

const uuid = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/
const isDay = (value: unknown): value is string =>
  typeof value === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(value) && !Number.isNaN(Date.parse(value))

/** Reads anything at all; what is not understood is left out. */
export function parseActivitySearch(raw: unknown): ActivitySearch {
  const part = (key: string): unknown => (typeof raw === 'object' && raw !== null ? new Map(Object.entries(raw)).get(key) : undefined)
  const id = (key: string): string | undefined => {
    const value = part(key)
    return typeof value === 'string' && uuid.test(value) ? value : undefined
  }
  const action = actions.find((each) => each === part('action'))
  const entity = entities.find((each) => each === part('entity'))
  const by = kinds.find((each) => each === part('by'))
  const [user, owner, from, to] = [id('user'), id('owner'), part('from'), part('to')]
  return {
    ...(action && { action }),
    ...(entity && { entity }),
    ...(by && { by }),
    ...(user !== undefined && { user }),
    ...(owner !== undefined && { owner }),
    ...(isDay(from) && { from }),
    ...(isDay(to) && { to }),
  }
}

/** Days are those of the clock on the wall. */
export const timeZone = Intl.DateTimeFormat().resolvedOptions().timeZone

export const queryOf = ({ action, entity, by, user, owner, from, to }: ActivitySearch): ActivityQuery => ({
  ...(action && { action }),
  ...(entity && { entityType: entity }),
  ...(by && { actorKind: by }),
  ...(user !== undefined && { actorId: user }),
  ...(owner !== undefined && { ownerId: owner }),
  ...(from !== undefined && { from }),
  ...(to !== undefined && { to }),
  timeZone,
})
