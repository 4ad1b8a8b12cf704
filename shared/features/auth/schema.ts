import { tokenScope } from '#shared/features/api-tokens/schema.ts'
import { z } from 'zod'
import { isCommonPassword } from '#shared/features/auth/weak-password.ts'
import { factorMethod, mustBe, secondFactorAsked, secondFactorFields, secondFactorInput } from '#shared/features/two-factor/schema.ts'
import { namePattern } from '#shared/text.ts'

export const role = z.enum(['admin', 'user'])
export type Role = z.infer<typeof role>

/** Messages are keys of the `validation` namespace, translated by the client. */
export const email = z
  .string({ error: 'required' })
  .trim()
  .min(1, 'required')
  .max(254, 'too_long')
  .pipe(z.email({ error: 'invalid_email' }))
  .transform((value) => value.toLowerCase())

/** Empty means none. Bidirectional control characters could hide the username beside it. */
export const personName = z.string().trim().max(100, 'too_long').regex(namePattern, 'invalid_characters')

/**
 * 6 is the minimum of the specification; 256 bounds the cost of hashing. A password made of the user's own name is rejected where the user is
 * known.
 */
export const newPassword = z
  .string({ error: 'required' })
  .min(1, 'required')
  .min(6, 'password_too_short')
  .max(256, 'too_long')
  .refine((password) => !isCommonPassword(password), 'password_common')

export const loginInput = z.object({
  email,
  password: z.string({ error: 'required' }).min(1, 'required').min(6, 'password_too_short').max(256, 'too_long'),
})

export const registerInput = z
  .object({
    name: personName.optional(),
    email,
    password: newPassword,
    passwordConfirmation: z.string({ error: 'required' }).min(1, 'required').max(256, 'too_long'),
  })
  .refine((value) => value.password === value.passwordConfirmation, {
    path: ['passwordConfirmation'],
    error: 'passwords_do_not_match',
  })

export const user = z.object({
  id: z.uuid(),
  username: z.string(),
  name: z.string().nullable(),
  email: z.string(),
  role,
  createdAt: z.iso.datetime(),
})
export type User = z.infer<typeof user>

export const signedIn = z.object({
  token: z.string(),
  user,
  /** A second factor is required; until it is set up, all other calls are denied. */
  secondFactorDue: z.literal(true).exactOptional(),
})
/** A session, or a challenge for the second factor. */
export const loginAnswer = z.union([signedIn, z.object({ secondFactor: secondFactorAsked })])

/** How the user authenticated in a session; everything except the password is a second factor. */
export const sessionProof = z.enum(['password', ...factorMethod.options])
export type SessionProof = z.infer<typeof sessionProof>

/** Null: there is no second factor, so the password is used. */
export const confirmationAsked = z.object({ secondFactor: secondFactorAsked.nullable() })
export const confirmInput = z.discriminatedUnion('method', [
  ...secondFactorInput.options,
  z.object({ method: z.literal('password'), password: z.string({ error: 'required' }).min(1, 'required').max(256, 'too_long') }),
])
/** The same over the wire; every value that passes is a `confirmInput`. */
export const confirmFields = z
  .object({
    ...secondFactorFields.shape,
    ticket: secondFactorFields.shape.ticket.optional(),
    method: z.enum([...factorMethod.options, 'password']),
    password: z.string().max(256, 'too_long').optional(),
  })
  .superRefine(mustBe(confirmInput))
export const me = z.object({
  user,
  /** The scope of the calling API token; null if a user calls. */
  scope: tokenScope.nullable(),
})
export const authConfig = z.object({
  registration: z.enum(['open', 'closed']),
  /** No user is registered yet: the next one becomes the administrator. */
  firstUser: z.boolean(),
})
