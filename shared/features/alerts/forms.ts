import { z } from 'zod'
import { chatId } from '#shared/features/monitoring/settings.ts'
import { namePattern } from '#shared/text.ts'
import { addressFields, hasField } from './channel-kinds.ts'
import type { AddressField } from './channel-kinds.ts'
import { channelKind, repeatLengthMs, windowRepeat } from './schema.ts'

const title = z.string().trim().min(1, 'required').max(100, 'too_long').regex(namePattern, 'invalid_characters')
/** The fields of the channel form; fields that its kind does not have are ignored. */
const anyChannelFields = z.object({
  kind: channelKind,
  name: title,
  chatId,
  topicId: z
    .string()
    .trim()
    .regex(/^\d{0,9}$/, 'monitoring_number')
    .transform((text) => (text === '' ? null : Number(text))),
  url: z.string().trim().max(2_048, 'too_long'),
  groupIds: z.array(z.uuid()),
  criticalOnly: z.boolean(),
  enabled: z.boolean(),
})
type ChannelFields = z.output<typeof anyChannelFields>
const isAddress = (url: string) => /^https?:\/\/\S+$/.test(url)
/** What is wrong with a field of the address; null: nothing. When editing, an empty URL keeps the stored one. */
const addressIssue = {
  chatId: ({ chatId: chat }) => (chat === '' ? 'required' : null),
  topicId: () => null,
  url: ({ url }, isNew) => (isAddress(url) || (url === '' && !isNew) ? null : 'invalid_url'),
} satisfies Record<AddressField, (fields: ChannelFields, isNew: boolean) => string | null>
const channelForm = (isNew: boolean) =>
  anyChannelFields.superRefine((fields, { addIssue }) => {
    for (const field of addressFields.filter((each) => hasField(fields.kind, each))) {
      const message = addressIssue[field](fields, isNew)
      if (message !== null) addIssue({ code: 'custom', path: [field], message })
    }
  })
export const channelFields = channelForm(true)
export const changedChannelFields = channelForm(false)

const moment = z.string().regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d$/, 'invalid_day')
/** The fields of the maintenance window form; times are local to its time zone. */
export const windowFields = z
  .object({
    name: title,
    groupId: z.uuid().nullable(),
    zoneIds: z.array(z.uuid()).max(10_000),
    startsAt: moment,
    endsAt: moment,
    every: z.enum(['never', ...windowRepeat.shape.every.options]),
    /** The last day on which it starts; empty means no end. */
    lastDay: z.iso.date().or(z.literal('')),
  })
  .refine(({ startsAt, endsAt }) => startsAt < endsAt, { path: ['endsAt'], message: 'maintenance_order' })
  .refine(({ startsAt, endsAt, every }) => every === 'never' || Date.parse(endsAt) - Date.parse(startsAt) <= repeatLengthMs[every].least, {
    path: ['endsAt'],
    message: 'maintenance_length',
  })
  .refine(({ startsAt, every, lastDay }) => every === 'never' || lastDay === '' || startsAt.slice(0, 10) <= lastDay, {
    path: ['lastDay'],
    message: 'maintenance_order',
  })
