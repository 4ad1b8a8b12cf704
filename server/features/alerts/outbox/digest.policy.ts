import { messageBody } from './message.ts'
import type { MessageBody, Part } from './message.ts'

/** Up to this many messages wait for a chat separately. */
const maxUngrouped = 5

interface Waiting {
  readonly id: string
  readonly body: unknown
  readonly repeated: boolean
  readonly externalId: string | null
  readonly attempts: number
}

/**
 * Merges waiting messages into one; null when there are few. A message that may have arrived is sent again unchanged, because people already have it;
 * one that is there is edited.
 */
export function mergeWaiting(all: readonly Waiting[]): { readonly body: MessageBody; readonly others: readonly string[] } | null {
  if (all[0]?.externalId != null) return null
  const waiting = all.filter(({ externalId }) => externalId === null)
  const [first] = waiting
  if (first === undefined || first.repeated || waiting.length <= maxUngrouped) return null
  const parts: Part[] = []
  const merged: string[] = []
  for (const { id, body, repeated } of waiting) {
    if (repeated) break
    const message = messageBody.parse(body)
    if (message.kind === 'dropped') break
    parts.push(...(message.kind === 'digest' ? message.parts : [message]))
    merged.push(id)
  }
  const [, ...others] = merged
  return others.length === 0 ? null : { body: { kind: 'digest', parts }, others }
}
