import { z } from 'zod'
import { email, newPassword, personName, sessionProof, user } from '#shared/features/auth/schema.ts'
import { keptUsername, language } from '#shared/features/users/schema.ts'

/** The user's own profile. */
export const profile = user.extend({
  language: z.string().nullable(),
  /** Send it back with an edit, so that the edit does not overwrite a concurrent one. */
  updatedAt: z.iso.datetime(),
})
export type Profile = z.infer<typeof profile>
export const profileAnswer = z.object({ user: profile })

/** An absent field is unchanged. */
export const updateProfileInput = z.object({
  name: personName.nullable().optional(),
  username: keptUsername.optional(),
  email: email.optional(),
  language: language.nullable().optional(),
  /** The revision that was read; if it has changed since, the error is `conflict`. */
  updatedAt: z.iso.datetime().optional(),
})
export type ProfileChanges = z.output<typeof updateProfileInput>

export const changePasswordInput = z
  .object({
    currentPassword: z.string({ error: 'required' }).min(1, 'required').max(256, 'too_long'),
    password: newPassword,
    passwordConfirmation: z.string({ error: 'required' }).min(1, 'required').max(256, 'too_long'),
    /** Also revokes API tokens; otherwise they stay valid. */
    revokeTokens: z.boolean().default(false),
  })
  .refine((value) => value.password === value.passwordConfirmation, { path: ['passwordConfirmation'], error: 'passwords_do_not_match' })

/** What was revoked besides sessions. */
const endedAccess = {
  /** The calendar feed had a URL, which is invalid now. */
  feedEnded: z.boolean(),
  tokensRevoked: z.int(),
}
/** The new token of this session: every earlier one of the user is invalid. */
export const passwordChanged = z.object({ token: z.string(), ...endedAccess })

export const session = z.object({
  id: z.string(),
  /** The session that makes the request. */
  current: z.boolean(),
  address: z.string().nullable(),
  userAgent: z.string().nullable(),
  /** The last authentication in the session. */
  verifiedBy: sessionProof,
  createdAt: z.iso.datetime(),
  /** Accurate to five minutes. */
  lastUsedAt: z.iso.datetime(),
  expiresAt: z.iso.datetime(),
})
export type Session = z.infer<typeof session>
export const sessionIdInput = z.object({ id: z.string().min(1).max(100) })
/** `revokeTokens`: also revokes API tokens. */
export const endOtherSessionsInput = z.object({ revokeTokens: z.boolean().default(false) })
export const sessionsEnded = z.object({ ended: z.int(), ...endedAccess })

/** All data of a user as one JSON document, part by part. */
export const exportDataInput = z.object({
  /** The cursor of the previous part. */
  cursor: z
    .string()
    .max(200, 'too_long')
    .regex(/^\d{1,3} (|[0-9a-f-]{36}(,[\w-]{1,100})?)$/, 'invalid_value')
    .optional(),
})
export const exportDataOutput = z.object({ text: z.string(), nextCursor: z.string().nullable() })
