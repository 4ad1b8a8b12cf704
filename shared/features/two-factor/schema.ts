import { z } from 'zod'

/** The second factors: TOTP, a passkey, or a recovery code. */
export const factorMethod = z.enum(['totp', 'passkey', 'recovery'])
export type FactorMethod = z.infer<typeof factorMethod>

const required = { error: 'required' } as const
/** People and apps group the digits with spaces. */
const totpCode = z
  .string(required)
  .max(20, 'invalid_code')
  .transform((value) => value.replaceAll(/\s/g, ''))
  .pipe(
    z
      .string()
      .min(1, 'required')
      .regex(/^\d{6}$/, 'invalid_code'),
  )
export const recoveryCode = z
  .string(required)
  .max(50, 'invalid_recovery_code')
  .transform((value) => value.toLowerCase().replaceAll(/[^a-z0-9]/g, ''))
  .pipe(
    z
      .string()
      .min(1, 'required')
      .regex(/^[a-z0-9]{12}$/, 'invalid_recovery_code'),
  )

// The WebAuthn messages in their own JSON form.
const base64url = z
  .string()
  .max(20_000)
  .regex(/^[\w-]*$/, 'invalid_value')
const transports = z.array(z.string().max(50)).max(10)
const attachment = z.enum(['platform', 'cross-platform'])
const credentialKind = z.literal('public-key')
const descriptor = z.object({
  id: z.string(),
  type: credentialKind,
  transports: z.array(z.enum(['ble', 'cable', 'hybrid', 'internal', 'nfc', 'smart-card', 'usb'])).exactOptional(),
})
const userVerification = z.enum(['discouraged', 'preferred', 'required'])

export const passkeyRequest = z.object({
  challenge: z.string(),
  rpId: z.string(),
  timeout: z.int(),
  userVerification,
  /** Absent: any passkey that the browser has for this panel. */
  allowCredentials: z.array(descriptor).exactOptional(),
})

export const passkeyCreation = z.object({
  rp: z.object({ id: z.string(), name: z.string() }),
  user: z.object({ id: z.string(), name: z.string(), displayName: z.string() }),
  challenge: z.string(),
  pubKeyCredParams: z.array(z.object({ alg: z.int(), type: credentialKind })),
  timeout: z.int(),
  excludeCredentials: z.array(descriptor),
  authenticatorSelection: z.object({ residentKey: z.enum(['discouraged', 'preferred', 'required']), userVerification }),
  attestation: z.literal('none'),
})

const credential = {
  id: base64url,
  rawId: base64url,
  type: credentialKind,
  authenticatorAttachment: attachment.exactOptional(),
  clientExtensionResults: z.object({}),
}

export const passkeyResponse = z.object({
  ...credential,
  response: z.object({
    clientDataJSON: base64url,
    authenticatorData: base64url,
    signature: base64url,
    userHandle: base64url.exactOptional(),
  }),
})

export const passkeyCreated = z.object({
  ...credential,
  response: z.object({ clientDataJSON: base64url, attestationObject: base64url, transports: transports.exactOptional() }),
})

const ticket = z.string(required).min(1, 'required').max(100, 'too_long')

/** A challenge from the server; its ticket can be answered once, within minutes. */
export const secondFactorAsked = z.object({
  ticket: z.string(),
  methods: z.array(factorMethod),
  /** The WebAuthn options; null if the user has no passkey, or the address of the panel does not allow them. */
  passkey: passkeyRequest.nullable(),
})
export type SecondFactorAsked = z.infer<typeof secondFactorAsked>

export const secondFactorInput = z.discriminatedUnion('method', [
  z.object({ ticket, method: z.literal('totp'), code: totpCode }),
  z.object({ ticket, method: z.literal('recovery'), code: recoveryCode }),
  z.object({ ticket, method: z.literal('passkey'), passkey: passkeyResponse }),
])

/** Adds the problems that `strict` finds: API documents support only objects, without alternatives. */
export const mustBe =
  (strict: z.ZodType) =>
  (given: unknown, context: z.RefinementCtx): void => {
    for (const { path, message } of strict.safeParse(given).error?.issues ?? []) context.addIssue({ code: 'custom', path, message })
  }

/** The same over the wire; every value that passes is a `secondFactorInput`. */
export const secondFactorFields = z
  .object({ ticket, method: factorMethod, code: z.string().max(50).optional(), passkey: passkeyResponse.optional() })
  .superRefine(mustBe(secondFactorInput))

export const passkeyAsked = z.object({ ticket: z.string(), passkey: passkeyRequest })
export const passkeyInput = z.object({ ticket, passkey: passkeyResponse })

const instant = z.iso.datetime()
export const passkey = z.object({
  id: z.uuid(),
  name: z.string(),
  /** Synced by a password manager or a cloud, so that it survives the loss of the device. */
  backedUp: z.boolean(),
  lastUsedAt: instant.nullable(),
  createdAt: instant,
})
export type Passkey = z.infer<typeof passkey>

export const twoFactor = z.object({
  totp: z.boolean(),
  passkeys: z.array(passkey),
  recoveryCodesLeft: z.int(),
  /** An administrator requires this user to have a second factor. */
  required: z.boolean(),
})
export type TwoFactor = z.infer<typeof twoFactor>

export const totpStarted = z.object({
  ticket: z.string(),
  /** Base32, for manual entry. */
  secret: z.string(),
  /** `otpauth://`, the content of the QR code. */
  uri: z.string(),
})
export const confirmTotpInput = z.object({ ticket, code: totpCode })
export const factorAdded = z.object({
  /** Only returned once. Null if there were some already. */
  recoveryCodes: z.array(z.string()).nullable(),
  /** Other sessions of the user that were opened with the password only. */
  sessionsEnded: z.int(),
})
export const recoveryCodesRenewed = z.object({ recoveryCodes: z.array(z.string()) })

export const passkeyStarted = z.object({ ticket: z.string(), passkey: passkeyCreation })
export const addPasskeyInput = z.object({
  ticket,
  name: z.string(required).trim().min(1, 'required').max(100, 'too_long'),
  passkey: passkeyCreated,
})
export const passkeyIdInput = z.object({ id: z.uuid() })
export const userIdInput = z.object({ userId: z.uuid() })
