import { z } from 'zod'
import { account } from '#shared/features/accounts/schema.ts'
import { usdLimit } from '#shared/features/registrars/buying/spending.ts'
import { defaultLanguages, twoFactorPolicies } from '#shared/features/settings/choices.ts'

export const twoFactorPolicy = z.enum(twoFactorPolicies)
export type TwoFactorPolicy = z.infer<typeof twoFactorPolicy>

/** A name of the IANA list; an offset such as +03:00 means the opposite to PostgreSQL. */
export const timeZone = z.string({ error: 'required' }).min(1, 'required').refine(isTimeZone, 'invalid_time_zone')

function isTimeZone(name: string): boolean {
  if (!/^[A-Za-z]/.test(name)) return false
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== ''
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
  /** Where days begin and end in what the server counts and exports. */
  timeZone,
  twoFactor: twoFactorPolicy,
  /** A session ends so many days after its sign-in at the latest. */
  sessionDays: days(365),
  /** How long entries of the activity log are kept. */
  activityRetentionDays: days(3650),
  /** Above so many US dollars, in one order or with all of the last 24 hours, a person who buys proves again who they are. */
  purchaseProofUsd: usdLimit,
})
export type PanelSettings = z.infer<typeof panelSettings>

export const panelSettingsAnswer = z.object({
  settings: panelSettings,
  /** Registration is open only because nobody has decided about it: an administrator is asked to. */
  registrationUndecided: z.boolean(),
})
/** Absent is unchanged. */
export const updatePanelSettingsInput = panelSettings.partial().refine((changes) => Object.keys(changes).length > 0, 'settings_empty')

/** What an operator has to look at; `other` is reported only by the log. */
export const backupFailure = z.enum(['disk_full', 'not_writable', 'other'])
export type BackupFailure = z.infer<typeof backupFailure>

/** How the newest backup was tried: restored into a scratch database, or read to its end. */
export const backupProof = z.object({ at: z.iso.datetime(), result: z.enum(['restored', 'checked', 'failed']) })
export type BackupProof = z.infer<typeof backupProof>

/** Backups by schedule. */
export const backupState = z.object({
  /** When the newest was written; null: none was. */
  writtenAt: z.iso.datetime().nullable(),
  /** Since the newest was written. */
  failure: z.object({ at: z.iso.datetime(), reason: backupFailure }).nullable(),
  /** Null: none was tried yet. */
  proof: backupProof.nullable().default(null),
})
export type BackupState = z.infer<typeof backupState>

/** Of the whole panel; for administrators. */
export const panelState = z.object({
  database: z.object({ version: z.string(), sizeBytes: z.number() }),
  /** Operations that have begun or are to begin, and the domains that are still before them. */
  queue: z.object({
    running: z.int(),
    waiting: z.int(),
    paused: z.int(),
    items: z.int(),
    /** When the oldest of those that run or wait was confirmed; null: none does. */
    since: z.iso.datetime().nullable(),
  }),
  /** Null: no process writes any. */
  backups: backupState.nullable(),
  /** Domains whose records or settings are to be read in the background. */
  detailsPending: z.int(),
  /** Processes whose own clock differs from the database's by more than 5 seconds; milliseconds ahead, or below zero behind. */
  clocks: z.array(z.object({ host: z.string(), role: z.string(), skewMs: z.int(), measuredAt: z.iso.datetime() })),
})

export const budgetUse = z.object({
  /** Calls of the window that is running. */
  used: z.int(),
  limit: z.int(),
  windowSeconds: z.number(),
  /** The provider refuses all calls until then; null: it does not. */
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
  /** The number of its budget, which accounts of one provider's user have in common. */
  budget: z.int(),
})
export type AccountState = z.infer<typeof accountState>

export const systemState = z.object({
  version: z.string(),
  /** Null for who is no administrator. */
  panel: panelState.nullable(),
  /** Those that the person may see, 500 at most: what could not be read comes first, then what uses most of its budget, then what was read longest ago. */
  accounts: z.array(accountState),
  /** All that the person may see. */
  accountsTotal: z.int(),
  /** Those of `accounts`. */
  budgets: z.array(budgetUse),
})
export type SystemState = z.infer<typeof systemState>
