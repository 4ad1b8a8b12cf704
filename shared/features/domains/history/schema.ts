import { z } from 'zod'
import { warningCodes } from '#shared/features/domains/settings/rules.ts'

/** The origin of a change: a user in the panel, an undo, an external change found by sync, or an operation. */
export const changeSource = z.enum(['panel', 'revert', 'outside', 'operation'])
export const changeSubject = z.enum(['record', 'setting', 'zone', 'rule', 'rule_order', 'ip_rule'])

export const zoneChange = z.object({
  id: z.uuid(),
  at: z.iso.datetime(),
  source: changeSource,
  /** Null for an external change. */
  actor: z.object({ id: z.uuid().nullable(), name: z.string() }).nullable(),
  subject: changeSubject,
  /** The id of the record or rule at the provider, the phase of an order, or a setting's id (`ssl`, `group`, `profile` …). */
  key: z.string(),
  /** A label: `A www.example.com`, a rule's description, or the setting's id. */
  label: z.string(),
  /** Null if it did not exist before. */
  before: z.unknown(),
  /** Null if it was deleted. */
  after: z.unknown(),
  /** Shared by the entries of one call. */
  batchId: z.uuid().nullable(),
  revertsId: z.uuid().nullable(),
  revertedById: z.uuid().nullable(),
})
export type ZoneChange = z.infer<typeof zoneChange>

/** The panel's id of the zone. */
const id = z.uuid()

export const listHistoryInput = z.object({
  id,
  subject: changeSubject.optional(),
  source: changeSource.optional(),
  batchId: z.uuid().optional(),
  cursor: z.string().max(200).optional(),
  limit: z.int().min(1).max(200).default(50),
})
/** `id`: the panel's id of the account. */
export const listAccountHistoryInput = listHistoryInput.pick({ id: true, batchId: true, cursor: true, limit: true })
export const listHistoryOutput = z.object({ entries: z.array(zoneChange), nextCursor: z.string().nullable() })

/** `ids` are entries of the zone's history. */
export const revertInput = z.object({ id, ids: z.array(z.uuid()).min(1).max(500) })
/** Why a step is impossible, or a note about it; each has a text `reasons.<reason>` in the namespace `history`. */
export const revertReasons = [
  /** It is restored as a new record, with another id at the provider. */
  'new_id',
  /** As `new_id`, but the plan's limit of rules is reached, so the provider will refuse it. */
  'limit_reached',
  /** The record no longer exists. */
  'record_gone',
  /** The provider no longer lists the record, but may still have it. */
  'record_missing',
  /** The rule no longer exists. */
  'rule_gone',
  /** The time at which the rule was to be deleted has passed. */
  'expired',
  /** The domain's records, settings or rules have not been read yet. */
  'not_read',
  /** The entry does not contain the previous value in a writable form. */
  'unreadable',
  /** The panel cannot write this setting or this value. */
  'not_writable',
  /** The group no longer exists. */
  'group_gone',
  'registrar_gone',
  'tracker_gone',
  /** The profile no longer exists. */
  'profile_gone',
  /** The domain is no longer in its account. */
  'zone_gone',
] as const

/** The preview of an undo; nothing is sent. */
export const revertPlan = z.object({
  token: z.string(),
  steps: z.array(
    z.object({
      entryId: z.uuid(),
      label: z.string(),
      /**
       * `already`: the current value equals the previous one; `changed_since`: it equals neither the previous nor the new one; `impossible`: see
       * the reason.
       */
      state: z.enum(['will_change', 'already', 'changed_since', 'impossible']),
      reason: z.enum(revertReasons).nullable(),
      now: z.unknown(),
      wanted: z.unknown(),
    }),
  ),
  calls: z.int(),
  /** Of the settings that change; each has a text `warnings.<code>` in the namespace `security`. */
  warnings: z.array(z.enum(warningCodes)),
})
export type RevertPlan = z.infer<typeof revertPlan>
/** `force` also applies `changed_since` steps. */
export const confirmRevertInput = revertInput.extend({ token: z.string().max(200), force: z.boolean().default(false) })
export const revertOutput = z.object({
  done: z.int(),
  failed: z.array(z.object({ entryId: z.uuid(), code: z.string(), message: z.string().nullable() })),
})
