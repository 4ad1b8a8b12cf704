import { z } from 'zod'
import { firstSetup } from '#shared/features/domains/creation/schema.ts'
import { domainFilter } from '#shared/features/domains/schema.ts'
import { changeRecordsInput, createRecordInput, updateRecordInput } from '#shared/features/domains/records/schema.ts'
import { purgeFiles } from '#shared/features/domains/settings/schema.ts'
import { dnsAddFields, dnsDeleteRequest, dnsEditRequest, requireAdditionValues } from './record-requests.ts'
import { operationKindNames, operationRequest } from './registry.ts'
import { address, ipRequest, settingsRequest, trackerBindRequest, trackerUnbindRequest } from './requests.ts'

export const operationState = z.enum(['draft', 'queued', 'running', 'waiting', 'paused', 'done', 'cancelled'])
export const itemState = z.enum(['pending', 'running', 'waiting', 'done', 'skipped', 'failed', 'cancelled', 'undone'])
export type OperationState = z.infer<typeof operationState>
export type ItemState = z.infer<typeof itemState>

const count = z.int()
export const operation = z.object({
  id: z.uuid(),
  ownerId: z.uuid(),
  actorName: z.string(),
  kind: z.string(),
  /** What it sets, where the kind does not say it all: the address, or which text takes the place of which. */
  subject: z.string().nullable(),
  state: operationState,
  total: count,
  done: count,
  /** Of those that are done: where a person has to do the rest, which the item's `code` names. */
  attention: count,
  failed: count,
  skipped: count,
  cancelled: count,
  waiting: count,
  /** Of those done: taken back since. */
  undone: count,
  undoOf: z.uuid().nullable(),
  /** What kind of operation that is. */
  undoOfKind: z.string().nullable(),
  priority: z.enum(['low', 'normal', 'high']),
  /** So many run first; null: all at the same time. */
  canary: count.nullable(),
  /** Those have ended and it rests: somebody is to look. */
  trialOver: z.boolean(),
  /** Some that failed or were cancelled had done a part, which can be taken back. Said of one operation, not in lists. */
  partlyDone: z.boolean(),
  scheduledAt: z.iso.datetime().nullable(),
  startedAt: z.iso.datetime().nullable(),
  finishedAt: z.iso.datetime().nullable(),
  /** Of the time from its start to its end, how long nothing ran: it waited for a person. */
  restedSeconds: z.int(),
  createdAt: z.iso.datetime(),
})
export type Operation = z.infer<typeof operation>

/** Why a new domain goes to its account, and not to one before it in the order that was asked for (R-DOM-07). */
export const accountReason = z.enum([
  /** Its line names the account. */
  'named',
  'first',
  /** All of the chosen accounts get as many, as far as they take them. */
  'evenly',
  /** Those before have no places left: too many of their zones wait for activation. */
  'slots',
  /** Those before have had as many new zones as they may have in ten minutes. */
  'window',
  /** Those before refused new zones lately. */
  'refused',
  /** All have had as many as they may for now: it waits for its turn. */
  'later',
  /** None is known to have a place; it is tried nevertheless. */
  'full',
])
export type AccountReason = z.infer<typeof accountReason>

/** What an item changes, as it is shown before it is confirmed. */
export const itemPlan = z.object({
  before: z.unknown(),
  after: z.unknown(),
  /** Codes of warnings (`operations` texts): a mail record would go, an origin would be exposed … */
  dangers: z.array(z.string()),
  /** Calls to the provider. */
  calls: count,
  /** Of a new domain. */
  reason: accountReason.optional(),
  /** The accounts that refused it while it ran, with the reason; it went on with the next one. */
  moved: z.array(z.object({ account: z.string(), code: z.string(), at: z.string() })).optional(),
})
export type ItemPlan = z.infer<typeof itemPlan>

/** A part of the way from a name to a working domain, or from a failing domain to the one in its place. */
export const purchaseStep = z.object({
  step: z.enum(['buy', 'zone', 'setup', 'name_servers', 'tracker', 'first_check', 'copy', 'group', 'campaigns', 'archive', 'reserve']),
  /** `waiting`: tried, and to be tried again. */
  state: z.enum(['done', 'failed', 'waiting']),
  /** Why it is not done. Of `first_check` what was found: `dns_not_yet`, `dns_silent`; null where DNS leads to Cloudflare. */
  code: z.string().nullable(),
})
export type PurchaseStep = z.infer<typeof purchaseStep>

export const operationItem = z.object({
  position: count,
  /** Of a new domain once it is made. */
  zoneId: z.uuid().nullable(),
  /** Whether the domain is in the panel. */
  present: z.boolean(),
  domain: z.string(),
  /** As people write it: Unicode, where the name has such letters. */
  displayName: z.string(),
  /** Null: a new domain that takes no part goes to none. */
  account: z.string().nullable(),
  state: itemState,
  plan: itemPlan,
  code: z.string().nullable(),
  /** The provider's own code and words. */
  providerCode: z.string().nullable(),
  message: z.string().nullable(),
  waitUntil: z.iso.datetime().nullable(),
  finishedAt: z.iso.datetime().nullable(),
  /** Of a new domain: those that its registrar has to have. */
  nameServers: z.array(z.string()).nullable(),
  /** Whether the panel has set them there. */
  serversSet: z.boolean(),
  /** Of a domain that is bought: what has been tried of it, in order. */
  steps: z.array(purchaseStep).optional(),
})
export type OperationItem = z.infer<typeof operationItem>

/** What an operation does, by the kind's name; what each kind is, is its row of the registry. */
export const operationKind = z.enum(operationKindNames)

const newName = z.string().trim().min(1).max(255)
/** How new domains go to the chosen accounts: each account as many as it takes before the next one, or to all of them alike. */
export const accountSpread = z.enum(['in_order', 'evenly'])
export type AccountSpread = z.infer<typeof accountSpread>

/** Many new domains over accounts in priority order (R-DOM-07). What a line says of itself goes before what is said of all. */
export const bulkCreateInput = z.strictObject({
  domains: z
    .array(
      z.union([
        newName,
        z.strictObject({
          name: newName,
          ipAddress: address.optional(),
          accountId: z.uuid().optional(),
          groupId: z.uuid().optional(),
          registrarId: z.uuid().optional(),
        }),
      ]),
    )
    .min(1)
    .max(10_000),
  accountIds: z.array(z.uuid()).min(1, 'select_account').max(1_000),
  spread: accountSpread.default('in_order'),
  /** None: no records but those of the profile. */
  ipAddress: z.union([address, z.literal('').transform(() => null)], 'invalid_ip').nullish(),
  groupId: z.uuid().nullable().optional(),
  /** Where the names were bought; one with an API is reported the name servers. */
  registrarId: z.uuid().nullable().optional(),
  /** Absent: the one for new domains, if there is one; null: none. */
  profileId: z.uuid().nullable().optional(),
  ...firstSetup,
})

/** A filter that was left empty by mistake would select everything; all domains are chosen by a filter without fields. */
const targetFilter = z.strictObject(domainFilter.shape).superRefine((filter, context) => {
  for (const name of ['search', 'email'] as const) {
    if (filter[name] === '') context.addIssue({ code: 'custom', path: [name], message: 'required' })
  }
})
/** The chosen domains: by id, all that match, or all that lead to an address. */
export const operationTarget = z.union([
  z.strictObject({ ids: z.array(z.uuid()).min(1).max(100_000) }),
  z.strictObject({ filter: targetFilter }),
  z.strictObject({ address: z.string().trim().min(1).max(2_048), ownerId: z.uuid().optional() }),
])
export type OperationTarget = z.infer<typeof operationTarget>

/** Names at API registrars: by their ids as `/renewals/names` and `/registrar-names` have them, or those of the chosen domains. */
export const registrarNamesTarget = z.union([z.strictObject({ nameIds: z.array(z.uuid()).min(1).max(10_000) }), operationTarget])
export type RegistrarNamesTarget = z.infer<typeof registrarNamesTarget>
export const previewAutoRenewInput = z.strictObject({ target: registrarNamesTarget, enabled: z.boolean() })

export const previewOperationInput = z.strictObject({ request: operationRequest, target: operationTarget })

/** What the operation would do; it is kept as a draft for an hour, and what is shown is what will run. */
export const operationPreview = z.object({
  operation,
  /** Domains that are so already, and are left out. */
  unchanged: count,
  /** Warnings by their code, with how many domains each concerns. */
  dangers: z.record(z.string(), count),
  calls: count,
  /** How long it takes at the provider's limits, and whose limit that is; null where nothing is called. */
  seconds: count,
  bottleneck: z.object({ account: z.string(), items: count, seconds: count }).nullable(),
  /** Of new domains: how many go to which account, in the order asked for. */
  shares: z.array(z.object({ account: z.string(), items: count, reason: accountReason })).optional(),
})
export type OperationPreview = z.infer<typeof operationPreview>

export const operationIdInput = z.strictObject({ id: z.uuid() })
export const operationPriority = z.enum(['low', 'normal', 'high'])
export const startOperationInput = z.strictObject({
  id: z.uuid(),
  scheduledAt: z.iso.datetime().optional(),
  /** Which of several operations goes first where they meet in one account. */
  priority: operationPriority.default('normal'),
  /** So many domains first; then it pauses, to be looked at and resumed or taken back. */
  canary: z.int().min(1).max(10_000).optional(),
})
/** Domains with any of these warnings are left out of the draft; those left out before and not named again come back. */
export const excludeFromDraftInput = z.strictObject({ id: z.uuid(), dangers: z.array(z.string().max(60)).max(50) })
export const excludeFromDraftOutput = operationPreview.pick({
  operation: true,
  dangers: true,
  calls: true,
  seconds: true,
  bottleneck: true,
})
export const rescheduleOperationInput = z.strictObject({
  id: z.uuid(),
  /** When it is to start; null: now. */
  scheduledAt: z.iso.datetime().nullable(),
})
export const listOperationsInput = z.object({
  state: z.enum(['active', 'ended']).optional(),
  kind: operationKind.optional(),
  /** Only those in which a domain failed. */
  result: z.enum(['failed']).optional(),
  /** The person who started them; for administrators, others see their own. */
  ownerId: z.uuid().optional(),
  cursor: z.uuid().optional(),
  limit: z.int().min(1).max(200).default(50),
})
export const listOperationsOutput = z.object({ operations: z.array(operation), nextCursor: z.uuid().nullable() })
export const operationAnswer = z.object({ operation })
const itemsFilter = z.object({
  state: itemState.or(z.literal('attention')).optional(),
  search: z.string().trim().max(255).optional(),
  /** Only those with this warning in their preview. */
  danger: z.string().max(60).optional(),
})
export const itemNamesInput = itemsFilter.extend({ id: z.uuid() })
/** Of all that match, in the same order. */
export const itemNamesOutput = z.object({ positions: z.array(count), names: z.array(z.string()) })
export const listItemsInput = itemsFilter.extend({
  id: z.uuid(),
  /** Continues behind this position. */
  cursor: z.coerce.number().int().min(0).optional(),
  limit: z.coerce.number().int().min(1).max(1_000).default(100),
})
export const listItemsOutput = z.object({ operation, items: z.array(operationItem), nextCursor: count.nullable() })
/** Ids of the mirror of trackers' domains. */
export const previewTrackerArchiveInput = z.strictObject({ trackerDomainIds: z.array(z.uuid()).min(1).max(10_000) })
/** Without positions: everything that can be taken back. */
export const previewUndoInput = z.strictObject({ id: z.uuid(), positions: z.array(count).max(100_000).optional() })

// ---- one change of one domain, before it is made

const recordChanges = {
  deletes: changeRecordsInput.shape.deletes,
  updates: z
    .array(
      updateRecordInput
        .pick({ recordId: true, seen: true })
        .extend({ patch: updateRecordInput.omit({ id: true, recordId: true, seen: true }) }),
    )
    .max(5_000)
    .default([]),
  creates: z
    .array(createRecordInput.omit({ id: true }))
    .max(5_000)
    .default([]),
}
export const previewChangeInput = z.strictObject({
  id: z.uuid(),
  change: z.union([
    z.discriminatedUnion('kind', [
      /** One record: what is wrong with it is reported by the names only of its fields. */
      z.strictObject({ kind: z.literal('record'), ...recordChanges }),
      z.strictObject({ kind: z.literal('records'), ...recordChanges }),
      z.strictObject({ kind: z.literal('purge_files'), files: purgeFiles }),
    ]),
    operationRequest,
  ]),
})
export const changePreview = z.object({
  preview: itemPlan.pick({ before: true, after: true, dangers: true, calls: true }).extend({
    /** It is so already: nothing would be sent. */
    unchanged: z.boolean(),
    /** Why it would not be done, as an item of an operation would report it; null: it would. */
    refused: z.string().nullable(),
  }),
})

// ---- REST: one call, one operation

const bulk = z.strictObject({
  ids: z.array(z.uuid()).min(1).max(100_000),
  /** Plans, and sends nothing. */
  preview: z.stringbool().or(z.boolean()).default(false),
})
export const bulkSettingsInput = bulk.extend(settingsRequest.shape)
export const bulkIpInput = bulk.extend(ipRequest.shape)
export const bulkDeleteInput = bulk
export const bulkBindTrackerInput = bulk.extend(trackerBindRequest.shape)
export const bulkUnbindTrackerInput = bulk.extend(trackerUnbindRequest.shape)
/** One of `add`, `edit` and `delete`; `mode` and `values` belong to `add`. */
export const bulkDnsInput = bulk
  .extend({
    add: dnsAddFields.shape.records.optional(),
    mode: dnsAddFields.shape.mode,
    values: dnsAddFields.shape.values,
    edit: dnsEditRequest.optional(),
    delete: dnsDeleteRequest.optional(),
  })
  .superRefine(({ add, values }, context) => {
    if (add !== undefined) requireAdditionValues({ records: add, values }, context)
  })
export const bulkCreateRequest = bulkCreateInput.extend(bulk.pick({ preview: true }).shape)
export const refreshAllInput = bulk.pick({ preview: true })
/** 202: what was started, or with `preview` what would be. */
export const bulkAnswer = z.object({ operation, preview: operationPreview.optional() })
