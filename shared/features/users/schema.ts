import { z } from 'zod'
import { email, newPassword, personName, role } from '#shared/features/auth/schema.ts'
import { usdLimit } from '#shared/features/registrars/buying/spending.ts'
import { languages } from '#shared/i18n/languages.ts'

/** A language of the panel. */
export const language = z.enum(languages, { error: 'invalid_value' })

export const managedUser = z.object({
  id: z.uuid(),
  username: z.string(),
  name: z.string().nullable(),
  email: z.string(),
  role,
  /** The language of messages outside the browser; null: the panel's. */
  language: z.string().nullable(),
  accountsCount: z.int(),
  registrarsCount: z.int(),
  domainsCount: z.int(),
  groupsCount: z.int(),
  /** Has a confirmed second factor or a passkey. */
  secured: z.boolean(),
  /** When one of their sessions was last used, accurate to five minutes; null: they have none. */
  lastSeenAt: z.iso.datetime().nullable(),
  /** Send it back with an edit, so that the edit does not overwrite a concurrent one. */
  updatedAt: z.iso.datetime(),
  createdAt: z.iso.datetime(),
  /** Since when the user is disabled; null: enabled. */
  disabledAt: z.iso.datetime().nullable(),
  /** The 24-hour order limit, in US dollars; null: no limit. */
  spendLimitUsd: z.int().nullable(),
})
export type ManagedUser = z.infer<typeof managedUser>
export const userAnswer = z.object({ user: managedUser })

const usernameText = z.string({ error: 'required' }).trim().min(1, 'required').max(64, 'too_long')
/** No look-alike letters and no `@`, so that a username is never an email. Upper and lower case are equal. */
export const username = usernameText.regex(/^[\w.-]*$/, 'invalid_username')
/** Also accepts usernames valid under earlier rules; a changed one must be a `username`. */
export const keptUsername = usernameText.regex(/^[^\p{C}\p{Z}]*$/u, 'invalid_username')

export const userState = z.enum(['active', 'disabled'])
export type UserState = z.infer<typeof userState>
export const listUsersInput = z.object({ search: z.string().max(255).optional(), role: role.optional(), state: userState.optional() })
export const userIdInput = z.object({ id: z.uuid() })
/** `tokens`: also revokes their API tokens. */
export const signOutUserInput = userIdInput.extend({ tokens: z.boolean().default(false) })

export const createUserInput = z.object({
  username,
  email,
  name: personName.nullable().optional(),
  password: newPassword,
  role: z.enum(role.options, { error: ({ input }) => (input === undefined ? 'required' : 'invalid_value') }),
  language: language.nullable().optional(),
  spendLimitUsd: usdLimit.nullable().optional(),
})
export type NewUserFields = z.output<typeof createUserInput>

/** An absent field or an empty password is unchanged (R-USR-02). */
export const updateUserInput = createUserInput.partial().extend({
  id: z.uuid(),
  username: keptUsername.optional(),
  password: z.union([z.literal(''), newPassword]).optional(),
  /** The revision that was read; if it has changed since, the error is `conflict`. */
  updatedAt: z.iso.datetime().optional(),
  /** With a new password: also revokes their API tokens. */
  revokeTokens: z.boolean().optional(),
})
export type UserChanges = z.output<typeof updateUserInput>

/** To hand over: its holder can set a new password once. */
export const resetLink = z.object({
  /** Below the panel's own URL. The secret is in the fragment, which no server and no log receives. */
  path: z.string(),
  expiresAt: z.iso.datetime(),
})
/** The fragment of the link. */
const resetTicket = z.string({ error: 'required' }).min(1, 'required').max(100, 'too_long')
export const checkResetLinkInput = z.object({ ticket: resetTicket })
export const resetByLinkInput = z
  .object({
    ticket: resetTicket,
    password: newPassword,
    passwordConfirmation: z.string({ error: 'required' }).min(1, 'required').max(256, 'too_long'),
    /** Also revokes API tokens; otherwise they stay valid. */
    revokeTokens: z.boolean().default(false),
  })
  .refine((value) => value.password === value.passwordConfirmation, { path: ['passwordConfirmation'], error: 'passwords_do_not_match' })

/** Credentials and work of a user that end or pause when the user is disabled. */
export const disabling = z.object({ sessions: z.int(), tokens: z.int(), operations: z.int(), calendarFeed: z.boolean() })
export type Disabling = z.infer<typeof disabling>

export const userIds = z.object({ ids: z.array(z.uuid()).min(1).max(1_000) })

/** What is removed from the panel with each user; nothing is removed at the providers. */
export const userBelongings = z.object({
  id: z.uuid(),
  username: z.string(),
  email: z.string(),
  accounts: z.int(),
  domains: z.int(),
  groups: z.int(),
  profiles: z.int(),
  /** Unfinished operations; they are stopped. */
  operations: z.int(),
  tokens: z.int(),
  /** What they share with others. */
  shares: z.int(),
})
export type UserBelongings = z.infer<typeof userBelongings>
export const usersDeletion = z.object({ users: z.array(userBelongings) })
