import { z } from 'zod'
import { earlierChange } from '#shared/features/monitoring/reports.ts'
import { reason } from '#shared/features/monitoring/schema.ts'

const instant = z.iso.datetime()

/** Details of each incident for webhooks. */
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
  /** The account's email or the registrar's name; null when the cause itself is displayed. */
  causeName: z.string().nullable(),
  health: z.enum(['warnings', 'critical']),
  /** Domains with an incident, or domains of the account; for a webhook, incidents. */
  count: z.int().positive(),
  /** The first names. */
  names: z.array(z.string()),
  /** For an account: the first of its domains. */
  domains: z.array(z.string()).default([]),
  /** For a single domain. */
  zoneId: z.uuid().nullable(),
  reasons: z.array(reason),
  /** When its incidents were taken, which identifies them later. */
  takenAt: instant,
  /** When a message that was sent was last changed. */
  updatedAt: instant.optional(),
  /** Webhooks only. */
  incidents: z.array(eachIncident).optional(),
}
const opened = z.object({
  kind: z.literal('opened'),
  ...shared,
  /** Start of the first incident. */
  since: instant,
  /** It was reported as a warning before. */
  worse: z.boolean(),
  /** Other incidents of the same cause were reported just before. */
  more: z.boolean(),
  /** The first incident, which the message links to. */
  incidentId: z.uuid().optional(),
  /** What changed the most of its domains in the hour before. */
  change: earlierChange.pick({ at: true, source: true, actor: true, kinds: true, domains: true }).optional(),
})
const closed = z.object({
  kind: z.literal('closed'),
  ...shared,
  /** Domains with an incident of the cause, including those that go on; absent: all have recovered. */
  of: z.int().positive().optional(),
  /** Domains that have recovered, including those that failed again since; absent: `count`. */
  recovered: z.int().positive().optional(),
  shortestMs: z.int().nonnegative(),
  longestMs: z.int().nonnegative(),
})
const part = z.discriminatedUnion('kind', [opened, closed])
export type Part = z.infer<typeof part>

/** The content of a message; the text is generated when it is sent, in the owner's language. */
export const messageBody = z.discriminatedUnion('kind', [
  opened,
  closed,
  /** Merged messages, in their order. */
  z.object({ kind: z.literal('digest'), parts: z.array(part) }),
  /** Number of messages that could not be delivered in time. */
  z.object({ kind: z.literal('dropped'), messages: z.int().positive(), since: instant }),
])
export type MessageBody = z.infer<typeof messageBody>

/** Whether the message is sent with a sound. */
export const isLoud = (body: MessageBody): boolean =>
  body.kind === 'opened' ? body.health === 'critical' : body.kind === 'digest' ? body.parts.some(isLoud) : body.kind === 'dropped'

/** A message in the outbox. */
export interface OutboxMessage {
  readonly id: string
  readonly body: MessageBody
  readonly repeated: boolean
  /** The receiver has it already: it is edited. */
  readonly externalId: string | null
  /** It was refused with formatting and buttons. */
  readonly plain: boolean
  readonly createdAt: string
}

/** Actions of the buttons below a message. */
export type ButtonAct = 'ack' | 'mute' | 'check'
const acts: readonly ButtonAct[] = ['ack', 'mute', 'check']
const uuid = /^[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}$/

/** At most Telegram's 64 bytes: `ack:0197…`, with the id of the outbox message. */
export const idOfButton = (act: ButtonAct, messageId: string): string => `${act}:${messageId}`

export function readButton(data: string): { readonly act: ButtonAct; readonly messageId: string } | null {
  const [name = '', messageId = '', ...rest] = data.split(':')
  const act = acts.find((each) => each === name)
  return act === undefined || rest.length > 0 || !uuid.test(messageId) ? null : { act, messageId }
}
