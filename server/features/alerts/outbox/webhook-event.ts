import type { Part, OutboxMessage } from './message.ts'
import { pathOf } from './write-message.ts'

/** The webhook payload of a message: `id` is the same for every attempt. */
export function eventOf({ id, body, repeated, createdAt }: OutboxMessage, publicUrl: string): object {
  const envelope = { id, createdAt, repeated }
  switch (body.kind) {
    case 'opened':
    case 'closed':
      return { ...envelope, ...partOf(body, publicUrl) }
    case 'digest':
      return { ...envelope, type: 'digest', events: body.parts.map((part) => partOf(part, publicUrl)) }
    case 'dropped':
      return { ...envelope, type: 'dropped', messages: body.messages, since: body.since }
  }
}

function partOf(part: Part, publicUrl: string): object {
  const { cause, causeName, health, count, reasons, incidents = [] } = part
  return {
    type: part.kind === 'opened' ? 'incident.opened' : 'incident.closed',
    cause: { key: cause, name: causeName },
    health,
    count,
    reasons,
    url: `${publicUrl}${pathOf(part)}`,
    incidents,
    ...(part.kind === 'opened'
      ? { since: part.since, worse: part.worse, change: part.change ?? null }
      : { shortestMs: part.shortestMs, longestMs: part.longestMs }),
  }
}
