import { z } from 'zod'
import { account } from '#shared/features/accounts/schema.ts'
import { usdLimit } from '#shared/features/registrars/buying/spending.ts'
import { twoFactorPolicies } from '#shared/features/settings/choices.ts'
import { defaultLanguages } from '#shared/i18n/languages.ts'

export const twoFactorPolicy = z.enum(twoFactorPolicies)
export type TwoFactorPolicy = z.infer<typeof twoFactorPolicy>

/** An IANA name; PostgreSQL interprets an offset such as +03:00 with the opposite sign. */
export const timeZone = z.string({ error: 'required' }).min(1, 'required').refine(isTimeZone, 'invalid_time_zone')

function isTimeZone(name: string): boolean {
  if (!/^[A-Za-z]/.test(name)) return false
  try {
    Intl.DateTimeFormat('en', { timeZone: name })
    return true
  } catch {
    return false
  }
}

const days = (most: number) =>
  z
    .int({ error: (issue) => (issue.input === undefined ? 'required' : 'invalid_days') })
    .min(1, 'too_small')
    .max(most, 'too_big')

export const panelSettings = z.object({
  registration: z.enum(['open', 'closed']),
  defaultLanguage: z.enum(defaultLanguages),
  /** The time zone of the days in statistics and exports. */
  timeZone,
  twoFactor: twoFactorPolicy,
  /** The maximum lifetime of a session, in days from the sign-in. */
  sessionDays: days(365),
  /** The retention of the activity log. */
  activityRetentionDays: days(3650),
  /** Above this amount of US dollars, in one order or over the last 24 hours, a buyer must authenticate again. */
  purchaseProofUsd: usdLimit,
})
export type PanelSettings = z.infer<typeof panelSettings>

export const panelSettingsAnswer = z.object({
  settings: panelSettings,
  /** Registration is open only because nobody has decided yet: administrators are asked to. */
  registrationUndecided: z.boolean(),
})
/** An absent field is unchanged. */
export const updatePanelSettingsInput = panelSettings.partial().refine((changes) => Object.keys(changes).length > 0, 'settings_empty')

/** Problems that an operator has to look at; `other` is reported only in the log. */
export const backupFailure = z.enum(['disk_full', 'not_writable', 'other'])
export type BackupFailure = z.infer<typeof backupFailure>

/** How the newest backup was verified: restored into a scratch database, or read to its end. */
export const backupProof = z.object({ at: z.iso.datetime(), result: z.enum(['restored', 'checked', 'failed']) })
export type BackupProof = z.infer<typeof backupProof>

/** Scheduled backups. */
export const backupState = z.object({
  /** When the newest was written; null: none yet. */
  writtenAt: z.iso.datetime().nullable(),
  /** The last failure since the newest was written. */
  failure: z.object({ at: z.iso.datetime(), reason: backupFailure }).nullable(),
  /** Null: none was verified yet. */
  proof: backupProof.nullable().default(null),
})
export type BackupState = z.infer<typeof backupState>

/** Of the whole panel; for administrators. */
export const panelState = z.object({
  database: z.object({ version: z.string(), sizeBytes: z.number() }),
  /** Running and pending operations, and their remaining domains. */
  queue: z.object({
    running: z.int(),
    waiting: z.int(),
    paused: z.int(),
    items: z.int(),
    /** When the oldest running or pending operation was confirmed; null: there is none. */
    since: z.iso.datetime().nullable(),
  }),
  /** Null: no process writes backups. */
  backups: backupState.nullable(),
  /** Domains whose records or settings are to be read in the background. */
  detailsPending: z.int(),
  /** Processes whose clock differs from the database's by more than 5 seconds; in milliseconds, positive if ahead. */
  clocks: z.array(z.object({ host: z.string(), role: z.string(), skewMs: z.int(), measuredAt: z.iso.datetime() })),
})

export const budgetUse = z.object({
  /** Calls in the current window. */
  used: z.int(),
  limit: z.int(),
  windowSeconds: z.number(),
  /** The provider rejects all calls until then; null: it does not. */
  blockedUntil: z.iso.datetime().nullable(),
})

export const accountState = z.object({
  id: z.uuid(),
  email: z.string(),
  name: z.string().nullable(),
  ownerId: z.uuid(),
  ownerName: z.string(),
  zonesCount: z.int(),
  sync: account.shape.sync.pick({
    state: true,
    syncedAt: true,
    nextAt: true,
    detailsPending: true,
    refused: true,
    errorCode: true,
    errorMessage: true,
  }),
  /** The index of its budget, shared by the accounts of one Cloudflare user. */
  budget: z.int(),
})
export type AccountState = z.infer<typeof accountState>

export const systemState = z.object({
  version: z.string(),
  /** Null for users who are not administrators. */
  panel: panelState.nullable(),
  /** The visible accounts, at most 500: unreadable ones first, then by budget used, then the stalest. */
  accounts: z.array(accountState),
  /** All visible accounts. */
  accountsTotal: z.int(),
  /** The budgets of `accounts`. */
  budgets: z.array(budgetUse),
})
export type SystemState = z.infer<typeof systemState>
