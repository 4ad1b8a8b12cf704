import { z } from 'zod'
import { conflictOf } from '#shared/features/domains/records/conflict.ts'
import { checkRecord } from '#shared/features/domains/records/rules.ts'
import { recordInput, recordPatch, recordType } from '#shared/features/domains/records/schema.ts'
import { fillRecord, usesValue } from '#shared/features/domains/records/template.ts'

/** Stands for any domain: what is wrong with a record there is wrong everywhere. */
const anyDomain = 'any-domain.invalid'
const ofItsDomain: ReadonlySet<string> = new Set(['record_name_outside', 'record_cname_self'])

/** In the order of their lines; each domain once. `{{value}}` stands for its value. */
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

/** Values that no text uses are a mistake, and so is a text that has no values to use. */
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
      // What depends on a domain's value is checked for each domain.
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
/** `replace`: records of the same name and type, or that a CNAME cannot stand beside, make way. In names, contents and comments `{{domain}}` stands for the domain. */
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
 * Records of one type, name or content; of several, all have to fit. `match`: whether `content` is the whole of it, or stands anywhere in it. An address is
 * never found by its part, unless it ends in `*`.
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
    /** Empty or null: none. */
    comment: recordPatch.shape.comment,
  })
  .refine((set) => Object.values(set).some((value) => value !== undefined), { message: 'edit_empty' })
/** Changes the records that match; what `set` does not name stays. */
export const dnsEditRequest = z
  .strictObject({ ...recordFilter, set: recordEdit, values: domainValues })
  .refine(filters, { message: 'select_filter' })
  .refine(({ type, set }) => set.content === undefined || type !== undefined, { message: 'edit_content_type', path: ['type'] })
  .superRefine(({ set, values }, context) => requireMatchingValues([set.content, set.comment], values, context))

/** Finds records by their whole content, or a part of it, and writes the new one in its place. */
export const dnsReplaceRequest = z.strictObject({
  find: z.string().trim().min(1).max(2_048),
  replace: z.string().trim().min(1).max(2_048),
  match: contentMatch,
  /** Only of these types; none: all. */
  types: z.array(recordType).max(30).default([]),
})
