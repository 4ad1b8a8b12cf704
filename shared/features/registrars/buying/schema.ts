import { z } from 'zod'
import { firstSetup } from '#shared/features/domains/creation/schema.ts'
import { trackerBindRequest } from '#shared/features/operations/requests.ts'
import { accountSpread, operation, operationPreview, registrarNamesTarget } from '#shared/features/operations/schema.ts'
import { money } from '../schema.ts'
import { namePattern } from '#shared/text.ts'

const count = z.int()
/** Names that are checked or bought at the same time, no matter who sells them. */
export const namesAtMost = 500

// ---- who will hold the names

const word = (most: number) => z.string({ error: 'required' }).trim().min(1, 'required').max(most, 'too_long')
/** Registries keep holders in Latin letters; what some ask for in others goes into `extra`. */
const latinLetters = /^[\p{Script=Latin}\p{M}\p{N}\p{P}\p{S} ]*$/u
const latin = (most: number) => word(most).regex(latinLetters, 'invalid_latin')
const regionNames = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' })
/** Codes that CLDR has names for, and no country has. */
const noCountries = new Set(['EU', 'EZ', 'QO', 'UN', 'XA', 'XB', 'ZZ'])
const contactFields = {
  firstName: latin(60),
  lastName: latin(60),
  organization: z
    .string()
    .trim()
    .max(100, 'too_long')
    .regex(latinLetters, 'invalid_latin')
    .nullish()
    .transform((value) => (value ?? '') || null),
  email: z.string({ error: 'required' }).trim().min(1, 'required').max(254, 'too_long').pipe(z.email('invalid_email')),
  /** E.164; spaces, dashes and brackets are left out. */
  phone: word(40)
    .transform((value) => value.replace(/[\s().-]/g, ''))
    .pipe(z.string().regex(/^\+[1-9]\d{6,14}$/, 'invalid_phone')),
  address: latin(200),
  city: latin(100),
  region: latin(100),
  postalCode: latin(20),
  country: word(2)
    .transform((value) => value.toUpperCase())
    .refine((code) => /^[A-Z]{2}$/.test(code) && !noCountries.has(code) && regionNames.of(code) !== undefined, 'invalid_country'),
  /** What some zones ask for beyond, by the provider's own names: a passport, a taxpayer number … */
  extra: z
    .record(
      z
        .string()
        .trim()
        .regex(/^\w{1,60}$/, 'invalid_characters'),
      word(500).regex(/^\P{Cc}*$/u, 'invalid_characters'),
    )
    .default({}),
}
const profileName = word(100).regex(namePattern, 'invalid_characters')

export const contact = z.object({
  id: z.uuid(),
  ownerId: z.uuid(),
  name: z.string(),
  isDefault: z.boolean(),
  firstName: z.string(),
  lastName: z.string(),
  organization: z.string().nullable(),
  email: z.string(),
  phone: z.string(),
  address: z.string(),
  city: z.string(),
  region: z.string(),
  postalCode: z.string(),
  country: z.string(),
  extra: z.record(z.string(), z.string()),
  /** What is stored cannot be decrypted: all fields of the person are empty here, and have to be entered again. */
  unreadable: z.boolean(),
  updatedAt: z.iso.datetime(),
})
export type Contact = z.infer<typeof contact>
export const contactAnswer = z.object({ contact })
export const listContactsInput = z.object({ ownerId: z.uuid().optional() })
/** The default first, then by name. */
export const listContactsOutput = z.object({ contacts: z.array(contact) })
export const createContactInput = z.object({ name: profileName, isDefault: z.boolean().default(false), ...contactFields })
export type NewContact = z.output<typeof createContactInput>
/** Absent is unchanged. */
export const updateContactInput = z
  .object({ name: profileName, isDefault: z.boolean(), ...contactFields, extra: contactFields.extra.unwrap() })
  .partial()
  .extend({ id: z.uuid() })
export type ContactChanges = z.output<typeof updateContactInput>
export const contactIdInput = z.object({ id: z.uuid() })

// ---- what can be bought, and for how much

export const checkNamesInput = z.object({
  registrarId: z.uuid(),
  /** Unicode or Punycode, in any case; each is answered once, in this order. */
  names: z.array(z.string().max(1_000)).min(1, 'required').max(namesAtMost),
})
/** `name` is Punycode in lower case, or what was given where that is no name. */
const named = { name: z.string(), displayName: z.string() }
export const availability = z.discriminatedUnion('state', [
  z.object({
    ...named,
    state: z.literal('available'),
    /** For `years`, taxes and fees included; null: the registrar does not publish that before it sells, so the name cannot be ordered here. */
    price: money.nullable(),
    /** For a year. */
    renewal: money.nullable(),
    /** The shortest time that it is sold for. */
    years: count,
    /** Longer terms, shortest first, each with its price for all the years, fees included, in the currency of `price`; empty: sold for `years` only. */
    longer: z.array(z.object({ years: count, minor: z.int() })),
    premium: z.boolean(),
  }),
  z.object({ ...named, state: z.literal('taken') }),
  /** It could not be found out, or is not sold here, with the registrar's own code and words. `onWebsite`: sold by the registrar, and not through its API. */
  z.object({
    ...named,
    state: z.enum(['unknown', 'unsupported']),
    code: z.string().nullable(),
    message: z.string().nullable(),
    onWebsite: z.boolean().optional(),
  }),
  /** No name that somebody can register; `code` is a key of the `validation` texts. */
  z.object({ ...named, state: z.literal('invalid'), code: z.string() }),
])
export type AvailabilityView = z.infer<typeof availability>
export const checkNamesOutput = z.object({
  registrarId: z.uuid(),
  /** What can be spent. Null: its API has no balance, or it could not be read. */
  balance: money.nullable(),
  /** What purchases that run have still to spend; it is not in `balance` any more. Null: nothing. */
  reserved: money.nullable(),
  results: z.array(availability),
  /** Names that were given more than once, as `results` has them: each is there once, where it came first. */
  repeated: z.array(z.string()),
})
export type CheckNamesOutput = z.infer<typeof checkNamesOutput>

// ---- buying

const address = z.union([z.ipv4(), z.ipv6()], 'invalid_ip')
export const wantedName = z.strictObject({
  name: z.string().trim().min(1).max(255),
  registrarId: z.uuid('select_registrar'),
  /** As `check` shows it for these `years`: what is confirmed for all of them. At most so much is charged, or nothing is ordered. */
  price: z.strictObject({ ...money.shape, minor: z.int().min(0, 'too_small') }),
  years: z.int().min(1).max(10),
  /** Agrees to a premium name. */
  premium: z.boolean().default(false),
})
/** R-BUY-02. All objects must belong to one person. */
export const purchaseInput = z.strictObject({
  names: z.array(wantedName).min(1, 'select_domain').max(namesAtMost),
  /** Cloudflare accounts in priority order. */
  accountIds: z.array(z.uuid()).min(1, 'select_account').max(1_000),
  spread: accountSpread.default('in_order'),
  contactId: z.uuid('select_contact'),
  privacy: z.boolean().default(true),
  autoRenew: z.boolean().default(true),
  /** None: no records but those of the profile. */
  ipAddress: z.union([address, z.literal('').transform(() => null)], 'invalid_ip').nullish(),
  groupId: z.uuid().nullable().optional(),
  /** Absent: the one for new domains, if there is one; null: none. */
  profileId: z.uuid().nullable().optional(),
  ...firstSetup,
  /** Where the new domains are bound; none: nowhere. */
  tracker: trackerBindRequest.nullish(),
})
export type PurchaseInput = z.input<typeof purchaseInput>

/** What one registrar would be paid; a row a currency. */
export const purchaseTotal = z.object({
  registrarId: z.uuid(),
  registrar: z.string(),
  /** Names that take part. */
  names: count,
  total: money,
  /** A year later, as far as it is reported for every name. */
  renewal: money.nullable(),
  /** What can be spent: purchases that run have still to spend `reserved`, which is not in it any more. */
  balance: money.nullable(),
  reserved: money.nullable(),
  /** Null: there is no balance in this currency to compare with. */
  enough: z.boolean().nullable(),
})
export type PurchaseTotal = z.infer<typeof purchaseTotal>
/**
 * An `OperationPreview` of kind `buy`: refused names are skipped items with the reason (`registrar_name_taken`, `registrar_not_sold`,
 * `registrar_price_changed`, `registrar_price_unknown`, `premium_not_agreed` …). Where a balance is too low it is no preview but the error `registrar_money`.
 */
export const purchasePreview = operationPreview.extend({ totals: z.array(purchaseTotal) })
export type PurchasePreview = z.infer<typeof purchasePreview>

// ---- renewing

export const previewRenewalInput = z.strictObject({ target: registrarNamesTarget, years: z.int().min(1).max(10).default(1) })
/** As `purchasePreview`, of kind `renew`. */
export const renewalPreview = operationPreview.extend({ totals: z.array(purchaseTotal) })
export type RenewalPreview = z.infer<typeof renewalPreview>

export const purchaseRequest = purchaseInput.extend({
  /** Plans, and sends nothing. */
  preview: z.stringbool().or(z.boolean()).default(false),
})
/** 202: what was started, or with `preview` what would be. */
export const purchaseAnswer = z.object({ operation, preview: purchasePreview.optional() })

// ---- what was bought

export const listPurchasesInput = z.object({
  operationId: z.uuid().optional(),
  cursor: z.uuid().optional(),
  limit: z.coerce.number().int().min(1).max(1_000).default(200),
})
/** Newest first. */
export const receipt = z.object({
  purchases: z.array(
    z.object({
      id: z.uuid(),
      operationId: z.uuid(),
      name: z.string(),
      displayName: z.string(),
      registrarId: z.uuid().nullable(),
      /** Null: it was deleted since. */
      registrar: z.string().nullable(),
      years: count,
      /** False: the name was bought. */
      renewal: z.boolean(),
      /** Without the fees that are known. */
      price: money,
      /** Null: the registrar does not show fees separately. */
      fees: money.nullable(),
      total: money,
      /** `total` is what the registrar says that it charged; otherwise what it was quoted for. */
      charged: z.boolean(),
      /** The registrar's. */
      orderId: z.string().nullable(),
      boughtAt: z.iso.datetime().nullable(),
    }),
  ),
  /** Of all of them, one row a currency. */
  totals: z.array(z.object({ names: count, total: money })),
  nextCursor: z.uuid().nullable(),
})
export type Receipt = z.infer<typeof receipt>
