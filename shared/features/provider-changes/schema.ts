import { z } from 'zod'
import { possibleInstant } from '#shared/instant.ts'
import { zoneChange } from '#shared/features/domains/history/schema.ts'
import { changeKinds, criticalChanges, longestActor, unknownActor } from './names.ts'

/** What was changed at the provider: the zone itself, its records, settings or rules, anything else in it, or something in the account. */
export const changeKind = z.enum(changeKinds)
export type ChangeKind = z.infer<typeof changeKind>

/**
 * Changes by others that can take sites down or give access away; they are reported immediately. `mass_deletion`: at least `massDeletion` records
 * within ten minutes, or by one call.
 */
export const criticalChange = z.enum(criticalChanges)
export type CriticalChange = z.infer<typeof criticalChange>
export const massDeletion = { records: 20, minutes: 10 } as const

/**
 * waiting: not read yet; working; no_permission: the credential may not read the log; account_unclear: it has access to several accounts, or
 * to none; failed: the last reading failed for another reason.
 */
export const changeFeedState = z.enum(['waiting', 'working', 'no_permission', 'account_unclear', 'failed'])

/** How the changes of an account are read from the provider's audit log. */
export const changeFeed = z.object({
  state: changeFeedState,
  /** The permission that the credential lacks. */
  permission: z.string().nullable(),
  /** The provider's message for the last failure. */
  message: z.string().nullable(),
  /** When the log was last read to its end. */
  readAt: z.iso.datetime().nullable(),
  /** From a change to its appearance, in seconds: the longest of the last reading with changes, and the longest ever. */
  delaySeconds: z.int().nullable(),
  longestDelaySeconds: z.int().nullable(),
})
export type ChangeFeed = z.infer<typeof changeFeed>

/** How the abuse reports of an account are read. */
export const reportFeed = changeFeed.omit({ delaySeconds: true, longestDelaySeconds: true })
export type ReportFeed = z.infer<typeof reportFeed>

/** As Cloudflare names it. */
export const auditLogPermission = 'Account Settings Read'

/** A change in an account at the provider, from its audit log. */
export const providerChange = z.object({
  id: z.uuid(),
  /** When the provider logged it. */
  at: z.iso.datetime(),
  /** When the panel read it. */
  readAt: z.iso.datetime(),
  account: z.object({ id: z.uuid(), name: z.string() }),
  /** The affected domain; the id is null while it is not in the panel. */
  domain: z.object({ id: z.uuid().nullable(), name: z.string(), displayName: z.string() }).nullable(),
  kind: changeKind,
  /** `create`, `update`, `delete`, or the provider's own term. */
  action: z.string(),
  actor: z.object({
    /** The e-mail address of a person, the name of a token, or the type of another actor. */
    name: z.string(),
    /** The kind of credential: `dash`, `api_key`, `api_token` or another term of the provider. */
    via: z.string().nullable(),
    tokenName: z.string().nullable(),
    /** The IP address; only the owner of the account and administrators see it. */
    address: z.string().nullable(),
  }),
  /** The provider's product. */
  product: z.string().nullable(),
  /** The name or the id of what was changed. */
  subject: z.string().nullable(),
  /** Made by this panel. */
  isOwn: z.boolean(),
  /** Why it is reported immediately; null: it is not. */
  critical: criticalChange.nullable(),
  /** When a person has reviewed it, or a rule has allowed it; always null for changes by this panel. */
  reviewedAt: z.iso.datetime().nullable(),
  /** A rule has allowed it, so it needs no review. */
  isAllowed: z.boolean(),
})
export type ProviderChange = z.infer<typeof providerChange>

export const listProviderChangesInput = z.object({
  accountId: z.uuid().optional(),
  domainId: z.uuid().optional(),
  actor: z.string().max(longestActor).optional(),
  kind: changeKind.optional(),
  since: possibleInstant.optional(),
  before: possibleInstant.optional(),
  outside: z.boolean().default(false),
  /** Only critical changes. */
  critical: z.boolean().default(false),
  /** Only changes by others that nobody has reviewed. */
  unreviewed: z.boolean().default(false),
  cursor: z.string().max(200).optional(),
  limit: z.int().min(1).max(200).default(50),
})
export const listProviderChangesOutput = z.object({
  changes: z.array(providerChange),
  nextCursor: z.string().nullable(),
  /** What the panel read later is not in the list. */
  readUntil: z.iso.datetime(),
})

/** Either some changes, or all unreviewed changes by others, of one account if given, that the panel had read by `readUntil`. */
export const reviewProviderChangesInput = z
  .object({ ids: z.array(z.uuid()).min(1).max(200).optional(), accountId: z.uuid().optional(), readUntil: possibleInstant.optional() })
  .refine(({ ids, readUntil }) => (ids === undefined) !== (readUntil === undefined), { path: ['ids'], message: 'changes_target' })
  .refine(({ ids, accountId }) => ids === undefined || accountId === undefined, { path: ['accountId'], message: 'changes_target' })
export const reviewProviderChangesOutput = z.object({ reviewed: z.int().nonnegative() })

/** Who made changes, as in `actor.name`. */
export const listChangeActorsOutput = z.object({ actors: z.array(z.string()) })

/** Which changes by others need no review: by this actor, of one kind or all, in one account, in the domains of one group, or everywhere. */
const allowedScope = z.object({
  actor: z
    .string()
    .min(1)
    .max(longestActor)
    .refine((name) => name !== unknownActor, 'unknown_author'),
  kind: changeKind.nullable().default(null),
  accountId: z.uuid().nullable().default(null),
  groupId: z.uuid().nullable().default(null),
})
const isOneTarget = ({ accountId, groupId }: { accountId: string | null; groupId: string | null }) => accountId === null || groupId === null
const oneTarget = { path: ['groupId'], message: 'allowed_target' }

export const allowedChange = allowedScope.extend({
  id: z.uuid(),
  /** Of one account, or of all accounts of the owner. */
  ownerId: z.uuid(),
  accountName: z.string().nullable(),
  groupName: z.string().nullable(),
  reason: z.string(),
  /** Null if the user was deleted. */
  createdBy: z.string().nullable(),
  createdAt: z.iso.datetime(),
})
export type AllowedChange = z.infer<typeof allowedChange>

export const allowChangesInput = allowedScope.extend({ reason: z.string().trim().max(300).default('') }).refine(isOneTarget, oneTarget)
/** `reviewed`: how many changes that the panel had read already are marked as reviewed. */
export const allowChangesOutput = z.object({ allowedChange, reviewed: z.int().nonnegative() })
export const listAllowedChangesOutput = z.object({ allowedChanges: z.array(allowedChange) })
export const disallowChangesInput = z.object({ id: z.uuid() })

export const countAllowedChangesInput = allowedScope.refine(isOneTarget, oneTarget)
/** Unreviewed changes that the rule would allow, at most `mostCounted`. */
export const countAllowedChangesOutput = z.object({ changes: z.int().nonnegative() })

/** Changes by others that nobody has reviewed, at most `mostCounted`. */
export const countUnreviewedChangesOutput = z.object({ changes: z.int().nonnegative() })

/**
 * Why a change cannot be reverted here. by_panel: it was made by this panel, whose history has it; not_recorded: the panel keeps no history of what
 * was changed; not_in_panel: nor of this domain; not_read: the domain has not been read since; nothing_found: reading it found no difference;
 * reverted: it was reverted already; level_too_low: the domain is shared for viewing only.
 */
export const changeRefusal = z.enum(['by_panel', 'not_recorded', 'not_in_panel', 'not_read', 'nothing_found', 'reverted', 'level_too_low'])
export const listChangeEntriesInput = z.object({ id: z.uuid() })
export const listChangeEntriesOutput = z.object({
  /** The domain to whose history the entries belong; null while it is not in the panel. */
  domainId: z.uuid().nullable(),
  /** What the panel found changed when it read the domain next, newest first, at most `mostEntries`. */
  entries: z.array(zoneChange),
  /** There are more in the history of the domain. */
  hasMore: z.boolean(),
  /** Null: the entries that were not reverted yet can be. */
  refusal: changeRefusal.nullable(),
})
