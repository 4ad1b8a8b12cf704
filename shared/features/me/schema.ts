import { z } from 'zod'
import { email, newPassword, personName, sessionProof, user } from '#shared/features/auth/schema.ts'
import { keptUsername, language } from '#shared/features/users/schema.ts'

/** A person as they see themselves. */
export const profile = user.extend({
  language: z.string().nullable(),
  /** Give it back with an edit, so that it does not undo somebody else's. */
  updatedAt: z.iso.datetime(),
})
export type Profile = z.infer<typeof profile>
export const profileAnswer = z.object({ user: profile })

/** Absent is unchanged. */
export const updateProfileInput = z.object({
  name: personName.nullable().optional(),
  username: keptUsername.optional(),
  email: email.optional(),
  language: language.nullable().optional(),
  /** As the profile was read; another state meanwhile is a `conflict`. */
  updatedAt: z.iso.datetime().optional(),
})
export type ProfileChanges = z.output<typeof updateProfileInput>

export const changePasswordInput = z
  .object({
    currentPassword: z.string({ error: 'required' }).min(1, 'required').max(256, 'too_long'),
    password: newPassword,
    passwordConfirmation: z.string({ error: 'required' }).min(1, 'required').max(256, 'too_long'),
    /** API tokens end too; otherwise programs go on with them. */
    revokeTokens: z.boolean().default(false),
  })
  .refine((value) => value.password === value.passwordConfirmation, { path: ['passwordConfirmation'], error: 'passwords_do_not_match' })

/** What ended besides sessions. */
const endedAccess = {
  /** The calendar had an address, which leads nowhere now. */
  feedEnded: z.boolean(),
  tokensRevoked: z.int(),
}
/** The session's token that goes on: every earlier one of this person has ended. */
export const passwordChanged = z.object({ token: z.string(), ...endedAccess })

export const session = z.object({
  id: z.string(),
  /** The one that asks. */
  current: z.boolean(),
  address: z.string().nullable(),
  userAgent: z.string().nullable(),
  /** The last proof in it. */
  verifiedBy: sessionProof,
  createdAt: z.iso.datetime(),
  /** To within five minutes. */
  lastUsedAt: z.iso.datetime(),
  expiresAt: z.iso.datetime(),
})
export type Session = z.infer<typeof session>
export const sessionIdInput = z.object({ id: z.string().min(1).max(100) })
/** `revokeTokens`: API tokens end too. */
export const endOtherSessionsInput = z.object({ revokeTokens: z.boolean().default(false) })
export const sessionsEnded = z.object({ ended: z.int(), ...endedAccess })

/** All that belongs to a person, as one JSON document, part by part. */
export const exportDataInput = z.object({
  /** What the part before gave. */
  cursor: z
    .string()
    .max(200, 'too_long')
    .regex(/^\d{1,3} (|[0-9a-f-]{36}(,[\w-]{1,100})?)$/, 'invalid_value')
    .optional(),
})
export const exportDataOutput = z.object({ text: z.string(), nextCursor: z.string().nullable() })
