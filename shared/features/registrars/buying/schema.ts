import { z } from 'zod'
import { isCountryCode } from '#shared/country-codes.ts'
import { firstSetup } from '#shared/features/domains/creation/first-setup.ts'
import { trackerBindRequest } from '#shared/features/operations/requests.ts'
import { accountSpread, operation, operationPreview, registrarNamesTarget } from '#shared/features/operations/schema.ts'
import { money } from '../schema.ts'
import { namePattern } from '#shared/text.ts'

const count = z.int()
/** The most names in one check or purchase, over all registrars. */
export const namesAtMost = 500

// ---- registrants

const word = (most: number) => z.string({ error: 'required' }).trim().min(1, 'required').max(most, 'too_long')
/** Registries store registrants in Latin letters; other scripts, where required, go into `extra`. */
const latinLetters = /^[\p{Script=Latin}\p{M}\p{N}\p{P}\p{S} ]*$/u
const latin = (most: number) => word(most).regex(latinLetters, 'invalid_latin')
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
  /** E.164; spaces, dashes and brackets are removed. */
  phone: word(40)
    .transform((value) => value.replace(/[\s().-]/g, ''))
    .pipe(z.string().regex(/^\+[1-9]\d{6,14}$/, 'invalid_phone')),
  address: latin(200),
  city: latin(100),
  region: latin(100),
  postalCode: latin(20),
  country: word(2)
    .transform((value) => value.toUpperCase())
    .refine(isCountryCode, 'invalid_country'),
  /** Additional fields of some zones, by the provider's names: a passport, a taxpayer number … */
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
  /** The stored data cannot be decrypted: all personal fields are empty here and must be entered again. */
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
/** An absent field is unchanged. */
export const updateContactInput = z
  .object({ name: profileName, isDefault: z.boolean(), ...contactFields, extra: contactFields.extra.unwrap() })
  .partial()
  .extend({ id: z.uuid() })
export type ContactChanges = z.output<typeof updateContactInput>
export const contactIdInput = z.object({ id: z.uuid() })

// ---- availability and prices

export const checkNamesInput = z.object({
  registrarId: z.uuid(),
  /** Unicode or Punycode, in any case; each has one result, in this order. */
  names: z.array(z.string().max(1_000)).min(1, 'required').max(namesAtMost),
})
/** `name` is Punycode in lower case, or the input if it is not a name. */
const named = { name: z.string(), displayName: z.string() }
export const availability = z.discriminatedUnion('state', [
  z.object({
    ...named,
    state: z.literal('available'),
    /** For `years`, including taxes and fees; null: the registrar does not publish it before the order, so the name cannot be ordered here. */
    price: money.nullable(),
    /** Per year. */
    renewal: money.nullable(),
    /** The shortest term. */
    years: count,
    /** Longer terms, shortest first, each with its total price including fees, in the currency of `price`; empty: sold for `years` only. */
    longer: z.array(z.object({ years: count, minor: z.int() })),
    premium: z.boolean(),
  }),
  z.object({ ...named, state: z.literal('taken') }),
  /**
   * Availability is unknown, or the name is not sold here, with the registrar's own code and message. `onWebsite`: sold by the registrar, but not
   * through its API.
   */
  z.object({
    ...named,
    state: z.enum(['unknown', 'unsupported']),
    code: z.string().nullable(),
    message: z.string().nullable(),
    onWebsite: z.boolean().optional(),
  }),
  /** Not a registrable name; `code` is a key of the `validation` texts. */
  z.object({ ...named, state: z.literal('invalid'), code: z.string() }),
])
export type AvailabilityView = z.infer<typeof availability>
export const checkNamesOutput = z.object({
  registrarId: z.uuid(),
  /** The available balance. Null: its API has no balance, or it could not be read. */
  balance: money.nullable(),
  /** The amount reserved by running purchases, already subtracted from `balance`. Null: nothing. */
  reserved: money.nullable(),
  results: z.array(availability),
  /** Duplicate input names, in the form of `results`, which has each name once at its first position. */
  repeated: z.array(z.string()),
})
export type CheckNamesOutput = z.infer<typeof checkNamesOutput>

// ---- purchases

const address = z.union([z.ipv4(), z.ipv6()], 'invalid_ip')
export const wantedName = z.strictObject({
  name: z.string().trim().min(1).max(255),
  registrarId: z.uuid('select_registrar'),
  /** The price that `check` shows for these `years`, as confirmed for the whole term. At most this is charged, or nothing is ordered. */
  price: z.strictObject({ ...money.shape, minor: z.int().min(0, 'too_small') }),
  years: z.int().min(1).max(10),
  /** Accepts a premium price. */
  premium: z.boolean().default(false),
})
/** R-BUY-02. All objects must have the same owner. */
export const purchaseInput = z.strictObject({
  names: z.array(wantedName).min(1, 'select_domain').max(namesAtMost),
  /** Cloudflare accounts in priority order. */
  accountIds: z.array(z.uuid()).min(1, 'select_account').max(1_000),
  spread: accountSpread.default('in_order'),
  contactId: z.uuid('select_contact'),
  privacy: z.boolean().default(true),
  autoRenew: z.boolean().default(true),
  /** None: only the records of the profile. */
  ipAddress: z.union([address, z.literal('').transform(() => null)], 'invalid_ip').nullish(),
  groupId: z.uuid().nullable().optional(),
  /** Absent: the default profile for new domains, if there is one; null: none. */
  profileId: z.uuid().nullable().optional(),
  ...firstSetup,
  /** Where the new domains are bound; absent: in no tracker. */
  tracker: trackerBindRequest.nullish(),
})
export type PurchaseInput = z.input<typeof purchaseInput>

/** The total of one registrar, one row per currency. */
export const purchaseTotal = z.object({
  registrarId: z.uuid(),
  registrar: z.string(),
  /** Names that will be ordered. */
  names: count,
  total: money,
  /** The renewal total a year later, if it is reported for every name. */
  renewal: money.nullable(),
  /** The available balance; `reserved` by running purchases is already subtracted. */
  balance: money.nullable(),
  reserved: money.nullable(),
  /** Null: there is no balance in this currency to compare with. */
  enough: z.boolean().nullable(),
})
export type PurchaseTotal = z.infer<typeof purchaseTotal>
/**
 * An `OperationPreview` of kind `buy`: rejected names are skipped items with the reason (`registrar_name_taken`, `registrar_not_sold`,
 * `registrar_price_changed`, `registrar_price_unknown`, `premium_not_agreed` …). If a balance is too low, the error `registrar_money` is returned
 * instead.
 */
export const purchasePreview = operationPreview.extend({ totals: z.array(purchaseTotal) })
export type PurchasePreview = z.infer<typeof purchasePreview>

// ---- renewals

export const previewRenewalInput = z.strictObject({ target: registrarNamesTarget, years: z.int().min(1).max(10).default(1) })
/** Like `purchasePreview`, of kind `renew`. */
export const renewalPreview = operationPreview.extend({ totals: z.array(purchaseTotal) })
export type RenewalPreview = z.infer<typeof renewalPreview>

export const purchaseRequest = purchaseInput.extend({
  /** Plans without sending anything. */
  preview: z.stringbool().or(z.boolean()).default(false),
})
/** 202: the started operation, or its preview with `preview`. */
export const purchaseAnswer = z.object({ operation, preview: purchasePreview.optional() })

// ---- purchase history

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
      /** Null if it was deleted since. */
      registrar: z.string().nullable(),
      years: count,
      /** False for a purchase. */
      renewal: z.boolean(),
      /** Without known fees. */
      price: money,
      /** Null: the registrar does not report fees separately. */
      fees: money.nullable(),
      total: money,
      /** Whether `total` is the charge reported by the registrar; otherwise it is the quote. */
      charged: z.boolean(),
      /** The registrar's order id. */
      orderId: z.string().nullable(),
      boughtAt: z.iso.datetime().nullable(),
    }),
  ),
  /** The totals, one row per currency. */
  totals: z.array(z.object({ names: count, total: money })),
  nextCursor: z.uuid().nullable(),
})
export type Receipt = z.infer<typeof receipt>
