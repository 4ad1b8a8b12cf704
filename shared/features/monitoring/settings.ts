import { z } from 'zod'
import { namePattern } from '#shared/text.ts'
import { timeZone } from '#shared/features/settings/schema.ts'
import { checkOptions, interval, notices, quietHours, region } from './schema.ts'
import type { Region } from './schema.ts'

const regions = z.array(region, { error: 'region_needed' }).min(1, 'region_needed').max(region.options.length, 'too_many')
/** Unique, in the order of the list. */
export const inOrder = (selected: readonly Region[]): Region[] => region.options.filter((each) => selected.includes(each))

export const telegramSettings = z.object({
  /** The main chat; empty means none. */
  chatId: z.string(),
  /** Whether a bot token is stored. The token itself is never returned. */
  configured: z.boolean(),
  /** The name at Telegram, without the @. */
  botName: z.string().nullable(),
})

/** A user's settings of monitoring and alerts (R-MON-01). */
export const monitoringSettings = z.object({
  enabled: z.boolean(),
  regions: z.array(region),
  /** Minutes. */
  checkInterval: interval,
  telegram: telegramSettings,
  notifications: notices,
  options: checkOptions,
  quietHours: quietHours.nullable(),
  secondOpinion: z.boolean(),
  /** The language of the messages. */
  language: z.enum(['ru', 'en']),
})
export type MonitoringSettings = z.infer<typeof monitoringSettings>
export const monitoringSettingsAnswer = z.object({ settings: monitoringSettings })

export const chatId = z
  .string()
  .trim()
  .regex(/^(?:-?\d{1,20}|@\w{4,64})?$/, 'telegram_chat')
const botToken = z
  .string()
  .trim()
  .regex(/^(?:\d{3,20}:[\w-]{20,100})?$/, 'telegram_token')

/** The owner of the settings; defaults to the caller. Only administrators can choose another user. */
export const ofOwnerInput = z.object({ ownerId: z.uuid().optional() })
export type OfOwner = z.output<typeof ofOwnerInput>

/** An absent field is unchanged. If both Telegram fields are empty, the stored token is deleted; an empty token with a chat keeps it. */
export const updateMonitoringInput = z
  .object({
    ownerId: z.uuid(),
    enabled: z.boolean(),
    regions,
    checkInterval: interval,
    telegram: z.object({ chatId: chatId.optional(), botToken: botToken.optional() }),
    notifications: notices.partial(),
    options: checkOptions.partial(),
    quietHours: quietHours
      .extend({ timeZone })
      .refine(({ from, to }) => from !== to, { path: ['to'], message: 'quiet_hours_empty' })
      .nullable(),
    secondOpinion: z.boolean(),
    language: z.enum(['ru', 'en']),
  })
  .partial()
  .refine((changes) => Object.keys(changes).some((key) => key !== 'ownerId'), 'settings_empty')
export type MonitoringChanges = z.output<typeof updateMonitoringInput>

/** The overrides of a group; an absent field inherits the owner's settings. */
export const monitoringOverride = z
  .object({ enabled: z.boolean(), regions, intervalMinutes: interval, notices: notices.partial() })
  .extend(checkOptions.shape)
  .partial()
export type MonitoringOverride = z.output<typeof monitoringOverride>
export const listOverridesOutput = z.object({ overrides: z.array(z.object({ groupId: z.uuid(), override: monitoringOverride })) })
/** Null removes the override: the group inherits the owner's setting. */
export const setOverrideInput = z.object({ groupId: z.uuid(), override: monitoringOverride.nullable() })

const ids = z.array(z.uuid()).min(1).max(100_000)
const minutes = z.int().min(1).max(525_600)
export const checkNowInput = z.object({ ids })
/** Null removes all overrides. */
export const muteDomainsInput = z.object({ ids, minutes: minutes.nullable() })
export const pauseDomainsInput = z.object({ ids, minutes: z.union([minutes, z.literal('forever')]).nullable() })
/** The number of monitored domains that this affects. */
export const affectedDomains = z.object({ domains: z.int().nonnegative() })

export const statusPage = z.object({
  groupId: z.uuid(),
  groupName: z.string(),
  slug: z.string(),
  title: z.string(),
  enabled: z.boolean(),
})
export type StatusPage = z.infer<typeof statusPage>
export const listStatusPagesOutput = z.object({ statusPages: z.array(statusPage) })
export const statusSlug = z
  .string({ error: 'required' })
  .trim()
  .toLowerCase()
  .regex(/^[a-z\d](?:[a-z\d-]{1,61}[a-z\d])$/, 'status_slug')
export const saveStatusPageInput = z.object({
  groupId: z.uuid(),
  slug: statusSlug,
  title: z.string({ error: 'required' }).trim().min(1, 'required').max(100, 'too_long').regex(namePattern, 'invalid_characters'),
  enabled: z.boolean().default(true),
})
export const statusPageAnswer = z.object({ statusPage })
export const removeStatusPageInput = z.object({ groupId: z.uuid() })

/** The fields of the Telegram form, named as on the server. */
export const telegramFields = z.object({ 'telegram.chatId': chatId, 'telegram.botToken': botToken })

const wholeNumber = (most: number) =>
  z
    .string()
    .trim()
    .regex(/^\d{1,3}$/, 'monitoring_number')
    .transform(Number)
    .pipe(z.int().min(1, 'too_small').max(most, 'too_big'))

/** Empty becomes null. */
const numberOrNothing = (least: number, most: number) =>
  z
    .string()
    .trim()
    .regex(/^\d{0,5}$/, 'monitoring_number')
    .transform((text) => (text === '' ? null : Number(text)))
    .pipe(z.int().min(least, 'too_small').max(most, 'too_big').nullable())

/** Parses `200-399, 401` into ranges. */
const statusText = z
  .string()
  .trim()
  .regex(/^\d{3}(?:\s*-\s*\d{3})?(?:\s*,\s*\d{3}(?:\s*-\s*\d{3})?){0,19}$/, 'monitoring_statuses')
  .transform((text) =>
    text.split(',').map((part) => {
      const [from = '', to = from] = part.split('-')
      return { from: Number(from), to: Number(to) }
    }),
  )
  .refine((ranges) => ranges.every(({ from, to }) => from >= 100 && to <= 599 && from <= to), 'monitoring_statuses')

/** The fields of the check options form, all as text. */
export const optionFields = z.object({
  path: checkOptions.shape.path,
  keyword: z
    .string()
    .trim()
    .max(255, 'too_long')
    .transform((word) => (word === '' ? null : word)),
  expectedStatus: statusText,
  followRedirects: z.boolean(),
  timeoutSeconds: wholeNumber(30),
  failuresToDown: wholeNumber(10),
  successesToUp: wholeNumber(10),
  downRegions: numberOrNothing(1, 6),
  slowMs: numberOrNothing(100, 30_000),
  certificateDays: wholeNumber(90),
  expiryDays: wholeNumber(365),
  expiryDaysAutoRenew: wholeNumber(365),
})
