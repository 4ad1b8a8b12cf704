import { z } from 'zod'

/** What a change was made by: a person in the panel, the taking back of an entry, something outside that sync saw, an operation. */
export const changeSource = z.enum(['panel', 'revert', 'outside', 'operation'])
export const changeSubject = z.enum(['record', 'setting', 'zone'])

export const zoneChange = z.object({
  id: z.uuid(),
  at: z.iso.datetime(),
  source: changeSource,
  /** Null for what came from outside. */
  actor: z.object({ id: z.uuid().nullable(), name: z.string() }).nullable(),
  subject: changeSubject,
  /** A record's id at the provider, or a setting's (`ssl`, `universal_ssl`, `group`, `profile` …). */
  key: z.string(),
  /** For people: `A www.example.com`, or the setting's id. */
  label: z.string(),
  /** Null: it was not there before. */
  before: z.unknown(),
  /** Null: it is gone. */
  after: z.unknown(),
  /** Entries made by one call share it. */
  batchId: z.uuid().nullable(),
  revertsId: z.uuid().nullable(),
  revertedById: z.uuid().nullable(),
})
export type ZoneChange = z.infer<typeof zoneChange>

/** The zone, by the panel's id. */
const id = z.uuid()

export const listHistoryInput = z.object({
  id,
  subject: changeSubject.optional(),
  source: changeSource.optional(),
  cursor: z.string().max(200).optional(),
  limit: z.int().min(1).max(200).default(50),
})
export const listHistoryOutput = z.object({ entries: z.array(zoneChange), nextCursor: z.string().nullable() })

/** `ids` are entries of the zone's history. */
export const revertInput = z.object({ id, ids: z.array(z.uuid()).min(1).max(500) })
/** Why a step is not possible, or what is to be known about it; each has a text `reasons.<reason>` in the namespace `history`. */
export const revertReasons = [
  /** It comes back as a new record, with another id at the provider. */
  'new_id',
  /** The record is no longer there. */
  'record_gone',
  /** The domain's records or settings have not been read yet. */
  'not_read',
  /** The entry does not hold what was before in a form that can be written. */
  'unreadable',
  /** The panel cannot write this setting, or not this value of it. */
  'not_writable',
  /** The group is no longer there. */
  'group_gone',
  'registrar_gone',
  'tracker_gone',
  /** The profile is no longer there. */
  'profile_gone',
  /** The domain is no longer in its account. */
  'zone_gone',
] as const

/** What taking back would do now; nothing is sent. */
export const revertPlan = z.object({
  token: z.string(),
  steps: z.array(
    z.object({
      entryId: z.uuid(),
      label: z.string(),
      /** `already`: it is as it was; `changed_since`: it is neither as it was before nor as the entry left it; `impossible`: the reason says why. */
      state: z.enum(['will_change', 'already', 'changed_since', 'impossible']),
      reason: z.enum(revertReasons).nullable(),
      now: z.unknown(),
      wanted: z.unknown(),
    }),
  ),
  calls: z.int(),
})
export type RevertPlan = z.infer<typeof revertPlan>
/** `changed_since` steps are done too, where `force` says so. */
export const confirmRevertInput = revertInput.extend({ token: z.string().max(200), force: z.boolean().default(false) })
export const revertOutput = z.object({
  done: z.int(),
  failed: z.array(z.object({ entryId: z.uuid(), code: z.string(), message: z.string().nullable() })),
})
