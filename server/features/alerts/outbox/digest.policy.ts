import { messageBody } from './message.ts'
import type { MessageBody, Part } from './message.ts'

/** So many may wait for a chat as messages of their own. */
const maxUngrouped = 5

interface Waiting {
  readonly id: string
  readonly body: unknown
  readonly repeated: boolean
  readonly attempts: number
}

/**
 * One message of the many that wait; null where they are few. One that may have arrived already is sent again as it was, as its first part is
 * what people have.
 */
export function mergeWaiting(waiting: readonly Waiting[]): { readonly body: MessageBody; readonly others: readonly string[] } | null {
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
