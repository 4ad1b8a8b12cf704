import { z } from 'zod'
import { usdLimit } from '#shared/features/registrars/buying/spending.ts'
import { namePattern } from '#shared/text.ts'

/** `read` only reads; `write` also changes what its user may change, but buys nothing; `buy` reads and buys, and changes nothing else. */
export const tokenScope = z.enum(['read', 'write', 'buy'])
export type TokenScope = z.infer<typeof tokenScope>

export const apiToken = z.object({
  id: z.uuid(),
  userId: z.uuid(),
  name: z.string(),
  /** The prefix of the token: enough to recognize it, too short to use it. */
  prefix: z.string(),
  scope: tokenScope,
  /** The 24-hour order limit of a token with the scope `buy`, in US dollars; null for other scopes. */
  spendLimitUsd: z.int().nullable(),
  expiresAt: z.iso.datetime().nullable(),
  lastUsedAt: z.iso.datetime().nullable(),
  lastAddress: z.string().nullable(),
  createdAt: z.iso.datetime(),
})
export type ApiToken = z.infer<typeof apiToken>

export const createTokenInput = z
  .object({
    name: z.string({ error: 'required' }).trim().min(1, 'required').max(100, 'too_long').regex(namePattern, 'invalid_characters'),
    scope: tokenScope,
    /** Required for `buy`, and invalid for other scopes. */
    spendLimitUsd: usdLimit.nullish(),
    /** Absent or null: valid until it is revoked. */
    expiresAt: z.iso
      .datetime({ offset: true, error: ({ input }) => (input === '' ? 'required' : 'invalid_value'), abort: true })
      .refine((moment) => Date.parse(moment) > Date.now(), 'in_the_past')
      .nullable()
      .optional(),
  })
  .check((given) => {
    const { scope, spendLimitUsd = null } = given.value
    if (scope === 'buy' && spendLimitUsd === null)
      given.issues.push({ code: 'custom', path: ['spendLimitUsd'], message: 'required', input: null })
    if (scope !== 'buy' && spendLimitUsd !== null)
      given.issues.push({ code: 'custom', path: ['spendLimitUsd'], message: 'invalid_value', input: spendLimitUsd })
  })
export type NewToken = z.output<typeof createTokenInput>
/** `secret` is the token itself. It is only in this response, which is stored encrypted for a day if the call had an `Idempotency-Key`. */
export const createdToken = z.object({ token: apiToken, secret: z.string() })

export const tokenIdInput = z.object({ id: z.uuid() })
/** Defaults to the caller's own tokens. Only administrators see those of others. */
export const listTokensInput = z.object({ userId: z.uuid().optional() })
export const tokenList = z.object({ tokens: z.array(apiToken) })
