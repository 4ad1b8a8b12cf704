import { z } from 'zod'
import { conflictOf } from '#shared/features/domains/records/conflict.ts'
import { checkRecord } from '#shared/features/domains/records/rules.ts'
import { recordInput, recordPatch, recordType } from '#shared/features/domains/records/schema.ts'
import { fillRecord, usesValue } from '#shared/features/domains/records/template.ts'

/** A stand-in domain: a record that is invalid for it is invalid for every domain. */
const anyDomain = 'any-domain.invalid'
const ofItsDomain: ReadonlySet<string> = new Set(['record_name_outside', 'record_cname_self'])

/** In line order; each domain once. `{{value}}` is replaced with its value. */
const domainValues = z
  .array(z.strictObject({ domain: z.string().trim().min(1, 'required').max(255), value: z.string().trim().min(1, 'required').max(4_096) }))
  .max(10_000)
  .superRefine((values, context) => {
    const seen = new Set<string>()
    for (const [index, { domain }] of values.entries()) {
      const key = domain.toLowerCase()
      if (seen.has(key)) context.addIssue({ code: 'custom', path: [index, 'domain'], message: 'value_repeated' })
      seen.add(key)
    }
  })
  .default([])
export type DomainValues = z.output<typeof domainValues>

/** Unused values are an error, and so is a placeholder without values. */
function requireMatchingValues(texts: readonly (string | null | undefined)[], values: DomainValues, context: z.RefinementCtx): void {
  const used = texts.some((text) => typeof text === 'string' && usesValue(text))
  if (used !== values.length > 0) context.addIssue({ code: 'custom', path: ['values'], message: used ? 'values_missing' : 'values_unused' })
}

const newRecords = z
  .array(z.strictObject(recordInput.shape))
  .min(1)
  .max(100)
  .superRefine((records, context) => {
    const checked = records.map((record) => {
      // What depends on a domain's value is validated for each domain.
      if (usesValue(record.name) || usesValue(record.content)) return { problems: [], record: null }
      return checkRecord(fillRecord(record, { domain: anyDomain }), anyDomain)
    })
    for (const [index, { problems, record }] of checked.entries()) {
      for (const { field, code, params } of problems) {
        if (!ofItsDomain.has(code)) context.addIssue({ code: 'custom', path: [index, field], message: code, ...(params && { params }) })
      }
      const before = checked.slice(0, index).flatMap((each) => each.record ?? [])
      const conflict = record === null ? null : conflictOf(record, before, anyDomain)
      if (conflict !== null) context.addIssue({ code: 'custom', path: [index, 'name'], message: conflict })
    }
  })
/**
 * `replace`: existing records of the same name and type, or that a CNAME excludes, are replaced. In names, contents and comments `{{domain}}` is
 * the domain.
 */
export const dnsAddFields = z.strictObject({ records: newRecords, mode: z.enum(['add', 'replace']).default('add'), values: domainValues })
type Addition = Pick<z.output<typeof dnsAddFields>, 'records' | 'values'>
export const requireAdditionValues = ({ records, values }: Addition, context: z.RefinementCtx): void =>
  requireMatchingValues(
    records.flatMap(({ name, content, comment }) => [name, content, comment]),
    values,
    context,
  )
export const dnsAddRequest = dnsAddFields.superRefine(requireAdditionValues)

const contentMatch = z.enum(['whole', 'part']).default('whole')
/**
 * Filters records by type, name and content, combined with AND. `match`: whether `content` must equal the whole content or be part of it. An IP
 * address never matches by a part, unless it ends with `*`.
 */
const recordFilter = {
  type: recordType.optional(),
  name: z.string().trim().max(255).optional(),
  content: z.string().trim().max(10_000).optional(),
  match: contentMatch,
}
interface Filter {
  readonly type?: string | undefined
  readonly name?: string | undefined
  readonly content?: string | undefined
}
const filters = ({ type, name = '', content = '' }: Filter): boolean => type !== undefined || name !== '' || content !== ''
export const dnsDeleteRequest = z.strictObject(recordFilter).refine(filters, { message: 'select_filter' })

const recordEdit = z
  .strictObject({
    content: z.string().trim().min(1, 'required').max(10_000).optional(),
    ttl: recordPatch.shape.ttl,
    proxied: recordPatch.shape.proxied,
    /** Empty or null means none. */
    comment: recordPatch.shape.comment,
  })
  .refine((set) => Object.values(set).some((value) => value !== undefined), { message: 'edit_empty' })
/** Changes the matching records; fields absent from `set` stay unchanged. */
export const dnsEditRequest = z
  .strictObject({ ...recordFilter, set: recordEdit, values: domainValues })
  .refine(filters, { message: 'select_filter' })
  .refine(({ type, set }) => set.content === undefined || type !== undefined, { message: 'edit_content_type', path: ['type'] })
  .superRefine(({ set, values }, context) => requireMatchingValues([set.content, set.comment], values, context))

/** Finds records by their whole content or a part of it, and replaces it with the new one. */
export const dnsReplaceRequest = z.strictObject({
  find: z.string().trim().min(1).max(2_048),
  replace: z.string().trim().min(1).max(2_048),
  match: contentMatch,
  /** Only these types; empty means all. */
  types: z.array(recordType).max(30).default([]),
})
