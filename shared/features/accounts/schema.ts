import { z } from 'zod'
import { changeFeed, reportFeed } from '#shared/features/provider-changes/schema.ts'
import { email } from '#shared/features/auth/schema.ts'
import { accountMissingRecords, disappearance } from '#shared/features/sync/disappearances/schema.ts'
import { ownership, sharedWithMe } from '#shared/features/sharing/schema.ts'
import { namePattern } from '#shared/text.ts'

export const accountKind = z.enum(['global_key', 'api_token'])
export const accountHealth = z.enum(['working', 'auth_error', 'api_error', 'unknown'])

export const account = z.object({
  id: z.uuid(),
  ownerId: z.uuid(),
  /** The owner's name, for administrators. */
  ownerName: z.string(),
  shared: sharedWithMe,
  /** The number of users it is shared with; 0 for those users themselves. */
  sharedWith: z.int(),
  name: z.string().nullable(),
  email: z.string(),
  kind: accountKind,
  hasPassword: z.boolean(),
  zonesCount: z.int(),
  health: accountHealth,
  /** The provider's code and message of the last failure. */
  healthCode: z.string().nullable(),
  healthMessage: z.string().nullable(),
  checkedAt: z.iso.datetime().nullable(),
  checking: z.boolean(),
  sync: z.object({
    state: z.enum(['queued', 'running', 'idle', 'failed']),
    /** Zones listed so far, and the total once the provider has reported it. */
    done: z.int(),
    total: z.int().nullable(),
    /** When the zone list was last read completely. */
    syncedAt: z.iso.datetime().nullable(),
    /** Zones whose records or settings are still to be read in the background. */
    detailsPending: z.int(),
    /** What the credential is not permitted to read; retried every few hours. */
    refused: z.enum(['records', 'settings']).nullable(),
    errorCode: z.string().nullable(),
    errorMessage: z.string().nullable(),
    nextAt: z.iso.datetime(),
  }),
  /** Domains that Cloudflare no longer lists, kept until their removal is certain. */
  disappearance: disappearance.nullable(),
  missingRecords: accountMissingRecords.nullable(),
  /** How changes made at Cloudflare are read; null until the domains have been listed. */
  changeFeed: changeFeed.nullable(),
  /** How abuse reports are read; null until the domains have been listed. */
  abuseFeed: reportFeed.nullable(),
  createdAt: z.iso.datetime(),
})
export type Account = z.infer<typeof account>

/** The provider's keys have no fixed format, so only their length is checked. */
export const apiKey = z
  .string({ error: 'required' })
  .trim()
  .min(1, 'required')
  .max(512, 'too_long')
  .regex(/^[\x21-\x7e]*$/, 'invalid_key')
export const accountName = z.string().trim().max(100, 'too_long').regex(namePattern, 'invalid_characters')
export const accountPassword = z.string().max(256, 'too_long')

export const accountFields = z.object({
  name: accountName.optional(),
  email,
  /** A global API key, or the token if `kind` is `api_token`. */
  apiKey,
  password: accountPassword.optional(),
  kind: accountKind.default('global_key'),
})
export type AccountFields = z.output<typeof accountFields>

export const addAccountInput = accountFields
/** Empty or absent means unchanged. */
export const updateAccountInput = z.object({
  id: z.uuid(),
  name: accountName.nullable().optional(),
  email: email.optional(),
  apiKey: z.union([z.literal(''), apiKey]).optional(),
  password: accountPassword.nullable().optional(),
  kind: accountKind.optional(),
})
export type UpdateAccountFields = z.output<typeof updateAccountInput>

export const maximumLines = 5_000
export const addAccountsInput = z.object({
  /** One account per line: `email;password;globalApiKey` or `email:apiKey`. */
  text: z.string().max(maximumLines * 1_100, 'too_long'),
  /** False: nothing is added if any line is invalid. True: valid lines are added. */
  skipFaulty: z.boolean().default(false),
  /** True: each key is first checked at Cloudflare, and a rejected key is an error of its line. */
  checkKeys: z.boolean().default(false),
})

export const lineFault = z.object({
  /** Counted from 1, as in the editor. */
  line: z.int(),
  /** A key of the `validation` namespace. */
  message: z.enum([
    'invalid_line_format',
    'invalid_email',
    'required',
    'line_too_long',
    'invalid_key',
    'duplicate_line',
    'email_with_other_key',
    'account_exists',
    'account_has_other_key',
    'key_refused',
  ]),
})
export type LineFault = z.infer<typeof lineFault>

export const addAccountsOutput = z.object({ added: z.int(), faults: z.array(lineFault), accountIds: z.array(z.uuid()) })

export const listAccountsInput = z.object({
  search: z.string().max(255).optional(),
  ownerId: z.uuid().optional(),
  ownership: ownership.optional(),
})
export const accountIds = z.object({ ids: z.array(z.uuid()).min(1).max(maximumLines) })
/** Without ids: all accounts of the user. */
export const someAccounts = z.object({ ids: z.array(z.uuid()).max(maximumLines).optional() })
/** `problems`: accounts checked in the same run that do not work. */
export const checkProgress = z.object({ total: z.int(), done: z.int(), problems: z.int(), running: z.boolean() })
export const loginDetails = z.object({ email: z.string(), password: z.string().nullable(), apiKey: z.string(), kind: accountKind })
export const accountsQueued = z.object({ queued: z.int() })
/** What is removed from the panel with these accounts; nothing is removed at the provider. */
export const deletionPreview = z.object({ accounts: z.int(), domains: z.int() })
