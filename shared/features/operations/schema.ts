import { z } from 'zod'
import { firstSetup } from '#shared/features/domains/creation/first-setup.ts'
import { domainFilter } from '#shared/features/domains/schema.ts'
import { changeRecordsInput, createRecordInput, updateRecordInput } from '#shared/features/domains/records/schema.ts'
import { checkRuleOutput, ruleChange, ruleQuota } from '#shared/features/domains/rulesets/schema.ts'
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
  /** Details beyond the kind: the address, or which text replaces which. */
  subject: z.string().nullable(),
  state: operationState,
  total: count,
  done: count,
  /** Of the done items, those with a remaining step for a person, named by the item's `code`. */
  attention: count,
  failed: count,
  skipped: count,
  cancelled: count,
  waiting: count,
  /** Of the done items, those undone since. */
  undone: count,
  undoOf: z.uuid().nullable(),
  /** The kind of that operation. */
  undoOfKind: z.string().nullable(),
  priority: z.enum(['low', 'normal', 'high']),
  /** The size of the canary that runs first; null without a canary. */
  canary: count.nullable(),
  /** The canary has finished and the operation waits for a decision. */
  trialOver: z.boolean(),
  /** Some failed or cancelled items had done a part that can be undone. Only in the response for a single operation. */
  partlyDone: z.boolean(),
  scheduledAt: z.iso.datetime().nullable(),
  startedAt: z.iso.datetime().nullable(),
  finishedAt: z.iso.datetime().nullable(),
  /** Of the time between start and end, how long it was paused or waiting for a decision. */
  restedSeconds: z.int(),
  createdAt: z.iso.datetime(),
})
export type Operation = z.infer<typeof operation>

/** Why a new domain goes to its account and not to an earlier one of the requested order (R-DOM-07). */
export const accountReason = z.enum([
  /** Its line names the account. */
  'named',
  'first',
  /** The selected accounts share the domains evenly, as far as they have room. */
  'evenly',
  /** Earlier accounts are full: too many of their zones await activation. */
  'slots',
  /** Earlier accounts have reached the limit of new zones in ten minutes. */
  'window',
  /** Earlier accounts have recently rejected new zones. */
  'refused',
  /** All accounts have reached their limit for now: the domain waits. */
  'later',
  /** No account is known to have room; it is tried anyway. */
  'full',
])
export type AccountReason = z.infer<typeof accountReason>

/** What an item changes, shown before the confirmation. */
export const itemPlan = z.object({
  before: z.unknown(),
  after: z.unknown(),
  /** Codes of warnings (`operations` texts): a mail record would be removed, an origin would be exposed … */
  dangers: z.array(z.string()),
  /** Calls to the provider. */
  calls: count,
  /** Of a batch of redirects: how many it adds, changes and removes; `before` and `after` have only the first ones. */
  redirects: z.object({ added: count, changed: count, removed: count }).optional(),
  /** For a new domain. */
  reason: accountReason.optional(),
  /** The accounts that rejected it during the run, with the reason, before the next one was tried. */
  moved: z.array(z.object({ account: z.string(), code: z.string(), at: z.string() })).optional(),
})

/** A step from a name to a working domain, or from a failing domain to its replacement. */
export const purchaseStep = z.object({
  step: z.enum(['buy', 'zone', 'setup', 'name_servers', 'tracker', 'first_check', 'copy', 'group', 'campaigns', 'archive', 'reserve']),
  /** `waiting`: tried, and will be retried. */
  state: z.enum(['done', 'failed', 'waiting']),
  /** Why it is not done. For `first_check` the finding: `dns_not_yet`, `dns_silent`; null if DNS points to Cloudflare. */
  code: z.string().nullable(),
})
export type PurchaseStep = z.infer<typeof purchaseStep>

export const operationItem = z.object({
  position: count,
  /** For a new domain, once it is created. */
  zoneId: z.uuid().nullable(),
  /** Whether the domain is in the panel. */
  present: z.boolean(),
  domain: z.string(),
  /** The Unicode form. */
  displayName: z.string(),
  /** Null: a skipped new domain goes to no account. */
  account: z.string().nullable(),
  state: itemState,
  plan: itemPlan,
  code: z.string().nullable(),
  /** The provider's own code and message. */
  providerCode: z.string().nullable(),
  message: z.string().nullable(),
  waitUntil: z.iso.datetime().nullable(),
  finishedAt: z.iso.datetime().nullable(),
  /** For a new domain: the name servers that its registrar must set. */
  nameServers: z.array(z.string()).nullable(),
  /** Whether the panel has set them there. */
  serversSet: z.boolean(),
  /** For a purchased domain: the steps tried so far, in order. */
  steps: z.array(purchaseStep).optional(),
})
export type OperationItem = z.infer<typeof operationItem>

/** The names of the kinds; each is described by its row in the registry. */
export const operationKind = z.enum(operationKindNames)

const newName = z.string().trim().min(1).max(255)
/** How new domains are distributed over the selected accounts: filling each before the next one, or evenly. */
export const accountSpread = z.enum(['in_order', 'evenly'])
export type AccountSpread = z.infer<typeof accountSpread>

/** Adds many domains over accounts in priority order (R-DOM-07). The values of a line override those for all lines. */
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
  /** None: only the records of the profile. */
  ipAddress: z.union([address, z.literal('').transform(() => null)], 'invalid_ip').nullish(),
  groupId: z.uuid().nullable().optional(),
  /** The registrar of the names; the name servers are set at one with an API. */
  registrarId: z.uuid().nullable().optional(),
  /** Absent: the default profile for new domains, if there is one; null: none. */
  profileId: z.uuid().nullable().optional(),
  ...firstSetup,
})

/** A filter left empty by mistake would select everything, so all domains are selected by a filter without fields. */
const targetFilter = z.strictObject(domainFilter.shape).superRefine((filter, context) => {
  for (const name of ['search', 'email'] as const) {
    if (filter[name] === '') context.addIssue({ code: 'custom', path: [name], message: 'required' })
  }
})
/** The selected domains: by id, all that match, or all that point to an address. */
export const operationTarget = z.union([
  z.strictObject({ ids: z.array(z.uuid()).min(1).max(100_000) }),
  z.strictObject({ filter: targetFilter }),
  z.strictObject({ address: z.string().trim().min(1).max(2_048), ownerId: z.uuid().optional() }),
])
export type OperationTarget = z.infer<typeof operationTarget>

/** Names at API registrars: by their ids from `/renewals/names` and `/registrar-names`, or those of the selected domains. */
export const registrarNamesTarget = z.union([z.strictObject({ nameIds: z.array(z.uuid()).min(1).max(10_000) }), operationTarget])
export type RegistrarNamesTarget = z.infer<typeof registrarNamesTarget>
export const previewAutoRenewInput = z.strictObject({ target: registrarNamesTarget, enabled: z.boolean() })

export const previewOperationInput = z.strictObject({ request: operationRequest, target: operationTarget })

/** The preview of an operation; it is kept as a draft for an hour, and what is shown is what will run. */
export const operationPreview = z.object({
  operation,
  /** Domains that need no change and are left out. */
  unchanged: count,
  /** Warnings by code, with the number of affected domains. */
  dangers: z.record(z.string(), count),
  calls: count,
  /** The estimated duration at the vendor's rate limits, and the vendor; null if no calls are made. */
  seconds: count,
  bottleneck: z.object({ account: z.string(), items: count, seconds: count }).nullable(),
  /** For new domains: the number per account, in the requested order. */
  shares: z.array(z.object({ account: z.string(), items: count, reason: accountReason })).optional(),
})
export type OperationPreview = z.infer<typeof operationPreview>

export const operationIdInput = z.strictObject({ id: z.uuid() })
export const operationPriority = z.enum(['low', 'normal', 'high'])
export const startOperationInput = z.strictObject({
  id: z.uuid(),
  scheduledAt: z.iso.datetime().optional(),
  /** Which of several operations runs first when they share an account. */
  priority: operationPriority.default('normal'),
  /** The size of a canary, after which the operation pauses to be continued or undone. */
  canary: z.int().min(1).max(10_000).optional(),
})
/** Excludes domains with any of these warnings from the draft; previously excluded ones that are not named again are included again. */
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
  /** The start time; null starts now. */
  scheduledAt: z.iso.datetime().nullable(),
})
export const listOperationsInput = z.object({
  state: z.enum(['active', 'ended']).optional(),
  kind: operationKind.optional(),
  /** Only operations with failed domains. */
  result: z.enum(['failed']).optional(),
  /** The user who started them; for administrators, as others see only their own. */
  ownerId: z.uuid().optional(),
  cursor: z.uuid().optional(),
  limit: z.int().min(1).max(200).default(50),
})
export const listOperationsOutput = z.object({ operations: z.array(operation), nextCursor: z.uuid().nullable() })
export const operationAnswer = z.object({ operation })
const itemsFilter = z.object({
  state: itemState.or(z.literal('attention')).optional(),
  search: z.string().trim().max(255).optional(),
  /** Only items with this warning in their preview. */
  danger: z.string().max(60).optional(),
})
export const itemNamesInput = itemsFilter.extend({ id: z.uuid() })
/** The total number of matches, in the same order. */
export const itemNamesOutput = z.object({ positions: z.array(count), names: z.array(z.string()) })
export const listItemsInput = itemsFilter.extend({
  id: z.uuid(),
  /** Continues after this position. */
  cursor: z.coerce.number().int().min(0).optional(),
  limit: z.coerce.number().int().min(1).max(1_000).default(100),
})
export const listItemsOutput = z.object({ operation, items: z.array(operationItem), nextCursor: count.nullable() })
/** Ids of tracker domains in the mirror. */
export const previewTrackerArchiveInput = z.strictObject({ trackerDomainIds: z.array(z.uuid()).min(1).max(10_000) })
/** Without positions: everything that can be undone. */
export const previewUndoInput = z.strictObject({ id: z.uuid(), positions: z.array(count).max(100_000).optional() })

// ---- preview of one change of one domain

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
      /** A single record: its problems are reported by field name only. */
      z.strictObject({ kind: z.literal('record'), ...recordChanges }),
      z.strictObject({ kind: z.literal('records'), ...recordChanges }),
      z.strictObject({ kind: z.literal('purge_files'), files: purgeFiles }),
      z.strictObject({ kind: z.literal('rule'), change: ruleChange }),
    ]),
    operationRequest,
  ]),
})
export const changePreview = z.object({
  preview: itemPlan.pick({ before: true, after: true, dangers: true, calls: true }).extend({
    /** No change is needed, so nothing would be sent. */
    unchanged: z.boolean(),
    /** Why it would fail, as an item of an operation would report it; null if it would not. */
    refused: z.string().nullable(),
    /** Cloudflare's check of the rule; null for other changes, for rules that need none, and with a token that may only read. */
    check: checkRuleOutput.nullable(),
    /** For rules: how many there would be; null for other changes. */
    quota: ruleQuota.nullable(),
  }),
})

// ---- REST: one call runs one operation

const bulk = z.strictObject({
  ids: z.array(z.uuid()).min(1).max(100_000),
  /** Plans without sending anything. */
  preview: z.stringbool().or(z.boolean()).default(false),
})
export const bulkSettingsInput = bulk.extend(settingsRequest.shape)
export const bulkIpInput = bulk.extend(ipRequest.shape)
export const bulkDeleteInput = bulk
export const bulkBindTrackerInput = bulk.extend(trackerBindRequest.shape)
export const bulkUnbindTrackerInput = bulk.extend(trackerUnbindRequest.shape)
/** Exactly one of `add`, `edit` and `delete`; `mode` and `values` belong to `add`. */
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
/** 202: the started operation, or its preview with `preview`. */
export const bulkAnswer = z.object({ operation, preview: operationPreview.optional() })
