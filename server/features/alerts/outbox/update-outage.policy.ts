import { readCause } from '#shared/features/monitoring/cause.ts'
import { mostNames } from '#server/features/monitoring/index.ts'
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

/**
 * The message with further domains that recovered.
 * @param progress `fresh`: how many it did not count yet; `remaining`: how many are down; `again`: which of those had recovered before
 */
export const addRecovered = (
  body: Closed,
  part: Extract<Part, { kind: 'closed' }>,
  { fresh, remaining, again }: { readonly fresh: number; readonly remaining: number; readonly again: readonly string[] },
  now: number,
): Closed => {
  const recovered = (body.recovered ?? body.count) + fresh
  const count = recovered - again.length
  // All of them are down again, which another message says.
  if (count < 1) return { ...body, recovered }
  const down = new Set(again)
  return {
    ...body,
    count,
    of: count + remaining,
    recovered,
    names: firstNames(body.names, part.names).filter((name) => !down.has(name)),
    zoneId: null,
    shortestMs: Math.min(body.shortestMs, part.shortestMs),
    longestMs: Math.max(body.longestMs, part.longestMs),
    updatedAt: new Date(now).toISOString(),
  }
}

/** Whether domains of the message are still down. */
export const isUnfinished = ({ count, of }: Closed): boolean => of !== undefined && of > count
