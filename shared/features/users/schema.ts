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
  /** For what is written to them outside the browser; null: the panel's. */
  language: z.string().nullable(),
  accountsCount: z.int(),
  registrarsCount: z.int(),
  domainsCount: z.int(),
  groupsCount: z.int(),
  /** Has a confirmed second factor or a passkey. */
  secured: z.boolean(),
  /** When one of their sessions was last used, to within five minutes; null: they have none. */
  lastSeenAt: z.iso.datetime().nullable(),
  /** Give it back with an edit, so that it does not undo somebody else's. */
  updatedAt: z.iso.datetime(),
  createdAt: z.iso.datetime(),
  /** Since when they may not sign in; null: they may. */
  disabledAt: z.iso.datetime().nullable(),
  /** What they may order in 24 hours, in US dollars; null: as much as they like. */
  spendLimitUsd: z.int().nullable(),
})
export type ManagedUser = z.infer<typeof managedUser>
export const userAnswer = z.object({ user: managedUser })

const usernameText = z.string({ error: 'required' }).trim().min(1, 'required').max(64, 'too_long')
/** Nothing that looks like another letter, and no `@`: nobody's username is somebody's email. Upper and lower case are the same name. */
export const username = usernameText.regex(/^[\w.-]*$/, 'invalid_username')
/** Also what was allowed once, for anyone who has it; another one must be a `username`. */
export const keptUsername = usernameText.regex(/^[^\p{C}\p{Z}]*$/u, 'invalid_username')

export const userState = z.enum(['active', 'disabled'])
export type UserState = z.infer<typeof userState>
export const listUsersInput = z.object({ search: z.string().max(255).optional(), role: role.optional(), state: userState.optional() })
export const userIdInput = z.object({ id: z.uuid() })
/** `tokens`: revokes their API tokens too. */
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

/** Absent is unchanged; an empty password too (R-USR-02). */
export const updateUserInput = createUserInput.partial().extend({
  id: z.uuid(),
  username: keptUsername.optional(),
  password: z.union([z.literal(''), newPassword]).optional(),
  /** As the user was read; another state meanwhile is a `conflict`. */
  updatedAt: z.iso.datetime().optional(),
  /** With another password: their API tokens end too. */
  revokeTokens: z.boolean().optional(),
})
export type UserChanges = z.output<typeof updateUserInput>

/** For handing over: anyone who has it gives the user another password, once. */
export const resetLink = z.object({
  /** Behind the panel's own address. What is secret of it stands behind the `#`, which no server and no log sees. */
  path: z.string(),
  expiresAt: z.iso.datetime(),
})
/** What stands behind the `#`. */
const resetTicket = z.string({ error: 'required' }).min(1, 'required').max(100, 'too_long')
export const checkResetLinkInput = z.object({ ticket: resetTicket })
export const resetByLinkInput = z
  .object({
    ticket: resetTicket,
    password: newPassword,
    passwordConfirmation: z.string({ error: 'required' }).min(1, 'required').max(256, 'too_long'),
    /** API tokens end too; otherwise programs go on with them. */
    revokeTokens: z.boolean().default(false),
  })
  .refine((value) => value.password === value.passwordConfirmation, { path: ['passwordConfirmation'], error: 'passwords_do_not_match' })

/** What lets a person in or acts for them, and ends or pauses when they are disabled. */
export const disabling = z.object({ sessions: z.int(), tokens: z.int(), operations: z.int(), calendarFeed: z.boolean() })
export type Disabling = z.infer<typeof disabling>

export const userIds = z.object({ ids: z.array(z.uuid()).min(1).max(1_000) })

/** What goes from the panel with each; nothing goes at the providers. */
export const userBelongings = z.object({
  id: z.uuid(),
  username: z.string(),
  email: z.string(),
  accounts: z.int(),
  domains: z.int(),
  groups: z.int(),
  profiles: z.int(),
  /** Operations that are not over; they stop where they are. */
  operations: z.int(),
  tokens: z.int(),
  /** What they let others use. */
  shares: z.int(),
})
export type UserBelongings = z.infer<typeof userBelongings>
export const usersDeletion = z.object({ users: z.array(userBelongings) })
