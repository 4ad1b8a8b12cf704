import { z } from 'zod'
import { recordInput } from '#shared/features/domains/records/schema.ts'
import { settingsPatch } from '#shared/features/domains/settings/schema.ts'
import { recordProblems } from './rules.ts'
import { namePattern } from '#shared/text.ts'

/** Development mode ends automatically, so it cannot be part of a profile. */
export const profileSettings = settingsPatch.omit({ developmentMode: true })
export type ProfileSettings = z.infer<typeof profileSettings>

/** `name` is relative to the domain (`@`, `www`); `{{domain}}` in the content is the domain's name. */
export const profileRecord = recordInput.omit({ comment: true, tags: true })
export type ProfileRecord = z.output<typeof profileRecord>

export const mostProfileRecords = 100
const fields = z.object({
  name: z.string().trim().min(1, 'required').max(100, 'too_long').regex(namePattern, 'invalid_characters'),
  settings: profileSettings,
  records: z.array(profileRecord).max(mostProfileRecords),
})

interface Given {
  readonly settings?: ProfileSettings | undefined
  readonly records?: readonly ProfileRecord[] | undefined
}
function requireGoodRecords({ records = [] }: Given, context: z.RefinementCtx): void {
  for (const { index, field, code, params } of recordProblems(records)) {
    context.addIssue({ code: 'custom', path: ['records', index, field], message: code, ...(params === undefined ? {} : { params }) })
  }
}
const says = ({ settings, records }: Given) =>
  Object.values(settings ?? {}).some((value) => value !== undefined) || (records ?? []).length > 0

export const profileFields = fields.superRefine(requireGoodRecords).refine(says, { message: 'profile_empty', path: ['settings'] })

const id = z.uuid()
export const profile = z.object({
  id,
  ownerId: z.uuid(),
  /** Shown to administrators in lists. */
  ownerName: z.string(),
  name: z.string(),
  settings: profileSettings,
  records: z.array(profileRecord),
  /** The default for new domains; at most one per owner. */
  isDefault: z.boolean(),
  /** Domains that have the profile. */
  domains: z.int(),
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
})
export type Profile = z.infer<typeof profile>

export const profileIdInput = z.object({ id })
export const profileAnswer = z.object({ profile })
export const listProfilesOutput = z.object({ profiles: z.array(profile) })
/** Absent fields stay unchanged; settings and records are replaced as a whole. */
export const updateProfileInput = fields
  .partial()
  .extend({ id })
  .superRefine(requireGoodRecords)
  .refine(({ settings, records }) => settings === undefined || records === undefined || says({ settings, records }), {
    message: 'profile_empty',
    path: ['settings'],
  })
export const setDefaultProfileInput = z.object({ id, isDefault: z.boolean() })
export const removeProfileOutput = z.object({
  /** Domains that had the profile; they stay unchanged. */
  domains: z.int(),
})

const shownRecord = z.object({
  type: z.string(),
  name: z.string(),
  content: z.string(),
  ttl: z.int(),
  proxied: z.boolean(),
  priority: z.int().nullable(),
})
/** How a domain differs from its profile: `before` is the current state, `after` that of the profile. */
export const profileDifference = z.object({
  settings: z.array(z.object({ key: z.string(), before: z.unknown(), after: z.unknown() })),
  /** `before` null: missing; `after` null: it conflicts with a record of the profile. */
  records: z.array(z.object({ before: shownRecord.nullable(), after: shownRecord.nullable() })),
})
export type ProfileDifference = z.infer<typeof profileDifference>

export const domainProfileAnswer = z.object({
  /** Null if the domain has no profile. */
  profile: z.object({ id, name: z.string(), appliedAt: z.iso.datetime() }).nullable(),
  /** Null before the domain is synced. */
  difference: profileDifference.nullable(),
})

export const listProfileDomainsInput = z.object({
  id,
  /** Continues after this domain. */
  cursor: z.uuid().optional(),
  limit: z.coerce.number().int().min(1).max(500).default(100),
})
export const listProfileDomainsOutput = z.object({
  domains: z.array(
    z.object({
      id: z.uuid(),
      domain: z.string(),
      /** Settings and records that differ; null before the domain is synced. */
      differs: z.int().nullable(),
    }),
  ),
  nextCursor: z.uuid().nullable(),
})
export const countDifferingOutput = z.object({ domains: z.int(), differing: z.int() })
export const profileDomainIdsOutput = z.object({ ids: z.array(z.uuid()) })
