import { z } from 'zod'
import { reason } from '#shared/features/monitoring/schema.ts'

const instant = z.iso.datetime()

/** What a receiver that is a program gets of each. */
const eachIncident = z.object({
  id: z.uuid(),
  zoneId: z.uuid().nullable(),
  name: z.string(),
  openedAt: instant,
  closedAt: instant.nullable(),
})
export type EachIncident = z.infer<typeof eachIncident>

const shared = {
  cause: z.string(),
  /** The account's email or the registrar's name; null where the cause says it itself. */
  causeName: z.string().nullable(),
  health: z.enum(['warnings', 'critical']),
  /** Domains with an incident, or domains of the account; for a program, incidents. */
  count: z.int().positive(),
  /** The first ones. */
  names: z.array(z.string()),
  /** Of an account: the first of its domains. */
  domains: z.array(z.string()).default([]),
  /** Of a single domain. */
  zoneId: z.uuid().nullable(),
  reasons: z.array(reason),
  /** The incidents of it were taken then: that is how they are found again. */
  takenAt: instant,
  /** Webhooks only. */
  incidents: z.array(eachIncident).optional(),
}
const opened = z.object({
  kind: z.literal('opened'),
  ...shared,
  /** The first one's beginning. */
  since: instant,
  /** It was reported as a warning before. */
  worse: z.boolean(),
  /** Others of the same cause were reported just before. */
  more: z.boolean(),
})
const closed = z.object({
  kind: z.literal('closed'),
  ...shared,
  shortestMs: z.int().nonnegative(),
  longestMs: z.int().nonnegative(),
})
const part = z.discriminatedUnion('kind', [opened, closed])
export type Part = z.infer<typeof part>

/** What a message reports, in our words; the text is made when it is sent, in the owner's language. */
export const messageBody = z.discriminatedUnion('kind', [
  opened,
  closed,
  /** Many that waited, in their order. */
  z.object({ kind: z.literal('digest'), parts: z.array(part) }),
  /** So many could not be reported in time. */
  z.object({ kind: z.literal('dropped'), messages: z.int().positive(), since: instant }),
])
export type MessageBody = z.infer<typeof messageBody>

/** What is reported about loudly. */
export const isLoud = (body: MessageBody): boolean =>
  body.kind === 'opened' ? body.health === 'critical' : body.kind === 'digest' ? body.parts.some(isLoud) : body.kind === 'dropped'

/** A message on its way. */
export interface OutboxMessage {
  readonly id: string
  readonly body: MessageBody
  readonly repeated: boolean
  /** It was refused with its marks and buttons. */
  readonly plain: boolean
  readonly createdAt: string
}

/** What can be done from below a message. */
export type ButtonAct = 'ack' | 'mute' | 'check'
const acts: readonly ButtonAct[] = ['ack', 'mute', 'check']
const uuid = /^[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}$/

/** Within Telegram's 64 bytes: `ack:0197…`, with the id of the message in the outbox. */
export const idOfButton = (act: ButtonAct, messageId: string): string => `${act}:${messageId}`

export function readButton(data: string): { readonly act: ButtonAct; readonly messageId: string } | null {
  const [name = '', messageId = '', ...rest] = data.split(':')
  const act = acts.find((each) => each === name)
  return act === undefined || rest.length > 0 || !uuid.test(messageId) ? null : { act, messageId }
}
