import { z } from 'zod'
import { namePattern } from '#shared/text.ts'
import { timeZone } from '#shared/features/settings/schema.ts'
import { possibleInstant } from '#shared/instant.ts'
import { webAddress } from '#shared/possible-host.ts'
import { addressFields, channelKindNames, requiresField } from './channel-kinds.ts'
import { messageStates } from './message-states.ts'

const instant = z.iso.datetime()
const name = z.string({ error: 'required' }).trim().min(1, 'required').max(100, 'too_long').regex(namePattern, 'invalid_characters')

export const channelKind = z.enum(channelKindNames)

/** Why a channel accepts nothing at the moment; `message` is the receiver's own text. */
export const channelFailure = z.object({
  code: z.enum(['unauthorized', 'no_token', 'secret_lost', 'chat_not_found', 'blocked', 'refused', 'forbidden', 'unreached']),
  message: z.string(),
  at: instant,
})
export type ChannelFailure = z.infer<typeof channelFailure>

/** A destination of alerts. The secret of a webhook is only returned when it is created, its URL never. */
export const alertChannel = z.object({
  id: z.uuid(),
  kind: channelKind,
  name: z.string(),
  enabled: z.boolean(),
  /** The chat of the monitoring settings. */
  main: z.boolean(),
  chatId: z.string().nullable(),
  topicId: z.int().nullable(),
  /** The host of a webhook; the rest of the URL is stored as a secret. */
  url: z.string().nullable(),
  /** Only domains of these groups; null means all. */
  groupIds: z.array(z.uuid()).nullable(),
  criticalOnly: z.boolean(),
  failure: channelFailure.nullable(),
  /** Queued messages. */
  waiting: z.int().nonnegative(),
  createdAt: instant,
})
export type AlertChannel = z.infer<typeof alertChannel>
export const listChannelsOutput = z.object({ channels: z.array(alertChannel) })
/** `secret` is only returned on creation. */
export const newChannelAnswer = z.object({ channel: alertChannel, secret: z.string().nullable() })

const chatId = z
  .string({ error: 'required' })
  .trim()
  .regex(/^(?:-?\d{1,16}|@\w{4,64})$/, 'telegram_chat')
const topicId = z.int().min(1).max(2_147_483_647).nullable()
const url = webAddress('invalid_url')
/** The future owner; defaults to the caller. Only administrators can create one for another user. */
const ownerId = z.uuid().optional()
const scope = {
  name,
  enabled: z.boolean().default(true),
  groupIds: z.array(z.uuid()).min(1).max(1_000).nullable().default(null),
  criticalOnly: z.boolean().default(false),
}
export const createChannelInput = z
  .object({ ownerId, kind: channelKind, chatId: chatId.optional(), topicId: topicId.default(null), url: url.optional(), ...scope })
  .superRefine((channel, { addIssue }) => {
    for (const field of addressFields)
      if (requiresField(channel.kind, field) && channel[field] == null) addIssue({ code: 'custom', path: [field], message: 'required' })
  })
export type NewChannel = z.output<typeof createChannelInput>
/** An absent field is unchanged. `newSecret` generates a new webhook secret and invalidates the old one. */
export const updateChannelInput = z.object({
  id: z.uuid(),
  name: name.optional(),
  enabled: z.boolean().optional(),
  groupIds: scope.groupIds.unwrap().optional(),
  criticalOnly: z.boolean().optional(),
  chatId: chatId.optional(),
  topicId: topicId.optional(),
  url: url.optional(),
  newSecret: z.boolean().optional(),
})
export type ChannelChanges = z.output<typeof updateChannelInput>
export const listChannelsInput = z.object({ ownerId })
export const listWindowsInput = z.object({ ownerId })
export const channelIdInput = z.object({ id: z.uuid() })
/** Null if it was delivered. */
export const testChannelOutput = z.object({ failure: channelFailure.nullable() })

const [dayMs, weekMs] = [86_400_000, 604_800_000]
/** The interval between two occurrences; a window is at most as long as the shortest interval. */
export const repeatLengthMs = {
  day: { least: dayMs, most: dayMs },
  week: { least: weekMs, most: weekMs },
  month: { least: 28 * dayMs, most: 31 * dayMs },
} as const
export const windowRepeat = z.object({
  every: z.enum(['day', 'week', 'month']),
  /** The time zone in which it starts at the same local time. */
  timeZone,
  /** The end of the recurrence; null means never. */
  until: instant.nullable().default(null),
})
export type WindowRepeat = z.output<typeof windowRepeat>

/** A period in which no alerts are sent: of a group, of some domains, or, with neither, of everything. */
export const maintenanceWindow = z.object({
  id: z.uuid(),
  name: z.string(),
  groupId: z.uuid().nullable(),
  zoneIds: z.array(z.uuid()).nullable(),
  /** The first 100 domains by name. */
  domains: z.array(z.object({ id: z.uuid(), displayName: z.string() })),
  /** The first occurrence if it repeats. */
  startsAt: instant,
  endsAt: instant,
  repeat: windowRepeat.nullable(),
  /** The current or next occurrence; null if it is over. */
  next: z.object({ startsAt: instant, endsAt: instant }).nullable(),
  createdAt: instant,
})
export type MaintenanceWindow = z.infer<typeof maintenanceWindow>
export const listWindowsOutput = z.object({ windows: z.array(maintenanceWindow) })
export const windowAnswer = z.object({ window: maintenanceWindow })
const windowFields = z.object({
  name,
  groupId: z.uuid().nullable().default(null),
  zoneIds: z.array(z.uuid()).min(1).max(10_000).nullable().default(null),
  startsAt: possibleInstant,
  endsAt: possibleInstant,
  repeat: windowRepeat
    .extend({ until: possibleInstant.nullable().default(null) })
    .nullable()
    .default(null),
})
const inOrder = ({ startsAt, endsAt }: { readonly startsAt: string; readonly endsAt: string }) => Date.parse(startsAt) < Date.parse(endsAt)
const fitsRepeat = ({ startsAt, endsAt, repeat }: z.output<typeof windowFields>) =>
  repeat === null || Date.parse(endsAt) - Date.parse(startsAt) <= repeatLengthMs[repeat.every].least
const endsLater = ({ startsAt, repeat }: z.output<typeof windowFields>) =>
  repeat === null || repeat.until === null || Date.parse(startsAt) < Date.parse(repeat.until)
const oneScope = (window: { readonly groupId: string | null; readonly zoneIds: readonly string[] | null }) =>
  window.groupId === null || window.zoneIds === null
export const createWindowInput = windowFields
  .extend({ ownerId })
  .refine(inOrder, { path: ['endsAt'], message: 'maintenance_order' })
  .refine(fitsRepeat, { path: ['endsAt'], message: 'maintenance_length' })
  .refine(endsLater, { path: ['repeat', 'until'], message: 'maintenance_order' })
  .refine(oneScope, { path: ['zoneIds'], message: 'maintenance_scope' })
export type NewWindow = Omit<z.output<typeof createWindowInput>, 'ownerId'>
export const updateWindowInput = windowFields
  .extend({ id: z.uuid() })
  .refine(inOrder, { path: ['endsAt'], message: 'maintenance_order' })
  .refine(fitsRepeat, { path: ['endsAt'], message: 'maintenance_length' })
  .refine(endsLater, { path: ['repeat', 'until'], message: 'maintenance_order' })
  .refine(oneScope, { path: ['zoneIds'], message: 'maintenance_scope' })
export const windowIdInput = z.object({ id: z.uuid() })

export const acknowledgeInput = z.object({ id: z.uuid() })
/** Mutes the alerts of the incident's domain or account for this duration. */
export const muteIncidentInput = z.object({ id: z.uuid(), minutes: z.int().min(1).max(525_600).default(120) })
export const incidentMark = z.object({
  id: z.uuid(),
  acknowledgedAt: instant.nullable(),
  acknowledgedBy: z.string().nullable(),
  /** The number of muted domains. */
  muted: z.int().nonnegative(),
})
export type IncidentMark = z.infer<typeof incidentMark>
export const incidentMarkAnswer = z.object({ incident: incidentMark })

/** These incidents, or all open ones of a cause. */
const incidentsTarget = z.object({
  ids: z.array(z.uuid()).min(1).max(10_000).optional(),
  cause: z.string().min(1).max(300).optional(),
  /** The owner whose incidents are meant. Administrators see all owners and others see what is shared with them; this filters by one. */
  ownerId,
})
const eitherWay = ({ ids, cause }: z.output<typeof incidentsTarget>) => (ids === undefined) !== (cause === undefined)
const notEither = { path: ['ids'], message: 'incidents_target' }
export const acknowledgeManyInput = incidentsTarget.refine(eitherWay, notEither)
export const muteManyInput = incidentsTarget.extend({ minutes: muteIncidentInput.shape.minutes }).refine(eitherWay, notEither)
export type IncidentsTarget = z.output<typeof acknowledgeManyInput>
/** The number of open incidents, and of domains that are muted now. */
export const acknowledgedMany = z.object({ incidents: z.int().nonnegative() })
export const mutedMany = z.object({ incidents: z.int().nonnegative(), domains: z.int().nonnegative() })

export const messageState = z.enum(messageStates)
/** A message, sent or queued. */
export const alertMessage = z.object({
  id: z.uuid(),
  channelId: z.uuid(),
  channelName: z.string(),
  channelKind,
  kind: z.enum(['opened', 'closed', 'digest', 'dropped']),
  state: messageState,
  /** The text in the owner's language, without markup. */
  text: z.string(),
  attempts: z.int().nonnegative(),
  /** It may already have been delivered before. */
  repeated: z.boolean(),
  failureCode: z.string().nullable(),
  failureMessage: z.string().nullable(),
  createdAt: instant,
  dueAt: instant,
  sentAt: instant.nullable(),
})
export type AlertMessage = z.infer<typeof alertMessage>
export const listMessagesInput = z.object({
  ownerId,
  state: messageState.optional(),
  channelId: z.uuid().optional(),
  cursor: z.uuid().optional(),
  limit: z.int().min(1).max(100).default(50),
})
export const listMessagesOutput = z.object({ messages: z.array(alertMessage), nextCursor: z.uuid().nullable() })
