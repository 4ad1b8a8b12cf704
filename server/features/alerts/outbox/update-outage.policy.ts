import { readCause } from '#shared/features/monitoring/cause.ts'
import { mostNames } from './group-incidents.policy.ts'
import type { MessageBody, Part } from './message.ts'

type Opened = Extract<MessageBody, { kind: 'opened' }>
type Closed = Extract<MessageBody, { kind: 'closed' }>

/** A message about an outage is updated for this long; later a new one is sent, because nobody is notified of an edit. */
export const updatedForMs = 3_600_000

/** Whether messages about the cause are updated: a server that several domains need is down. An expired domain is a problem of its own. */
export const isOutage = (cause: string): boolean => ['origin', 'name_servers', 'tracker'].includes(readCause(cause).kind)

const firstNames = (known: readonly string[], others: readonly string[]) => [...new Set([...known, ...others])].slice(0, mostNames)

/** The message with domains that joined the outage. @param names of domains that it did not count yet */
export const addJoined = (body: Opened, names: readonly string[], now: number): Opened => {
  const count = body.count + names.length
  return {
    ...body,
    count,
    names: firstNames(body.names, names),
    zoneId: count === 1 ? body.zoneId : null,
    updatedAt: new Date(now).toISOString(),
  }
}

/** The message with further domains that recovered. @param remaining how many are still down */
export const addRecovered = (body: Closed, more: Extract<Part, { kind: 'closed' }>, remaining: number, now: number): Closed => {
  const count = body.count + more.count
  return {
    ...body,
    count,
    of: count + remaining,
    names: firstNames(body.names, more.names),
    zoneId: null,
    shortestMs: Math.min(body.shortestMs, more.shortestMs),
    longestMs: Math.max(body.longestMs, more.longestMs),
    updatedAt: new Date(now).toISOString(),
  }
}

/** Whether domains of the message are still down. */
export const isUnfinished = ({ count, of }: Closed): boolean => of !== undefined && of > count
