import { z } from 'zod'
import { decideDisappearanceInput, decideDisappearanceOutput, recordDisappearance } from '#shared/features/sync/disappearances/schema.ts'

/** Every type that Cloudflare supports. */
export const recordType = z.enum([
  'A',
  'AAAA',
  'CAA',
  'CERT',
  'CNAME',
  'DNSKEY',
  'DS',
  'HTTPS',
  'LOC',
  'MX',
  'NAPTR',
  'NS',
  'OPENPGPKEY',
  'PTR',
  'SMIMEA',
  'SRV',
  'SSHFP',
  'SVCB',
  'TLSA',
  'TXT',
  'URI',
])
export type RecordType = z.infer<typeof recordType>

/** A record at the provider. `name` is absolute (`www.example.com`), in Punycode. */
export const dnsRecord = z.object({
  /** The provider's id. */
  id: z.string(),
  type: z.string(),
  name: z.string(),
  content: z.string(),
  /** In seconds; 1 means automatic. */
  ttl: z.int(),
  proxied: z.boolean(),
  proxiable: z.boolean(),
  priority: z.int().nullable(),
  comment: z.string().nullable(),
  tags: z.array(z.string()),
  data: z.record(z.string(), z.unknown()).nullable(),
  modifiedAt: z.iso.datetime().nullable(),
})
export type DnsRecord = z.infer<typeof dnsRecord>

/** A single line: in a zone file a line break would start another record. */
const comment = z
  .string()
  .max(500)
  .regex(/^\P{Cc}*$/u, 'invalid_characters')

/**
 * A record as entered. `name` may be `@`, a label (`www`) or absolute; `content` is text in zone file form (`5 5060 sip.example.com` for SRV,
 * whose priority is a separate field), from which `data` is derived. The rules by type are in `rules.ts`.
 */
export const recordInput = z.object({
  type: recordType,
  name: z.string().trim().min(1, 'required').max(255),
  content: z.string().max(10_000),
  ttl: z.int().min(1).max(86_400).default(1),
  proxied: z.boolean().default(false),
  priority: z.int().min(0).max(65_535).optional(),
  comment: comment.optional(),
  tags: z.array(z.string().max(200)).max(20).optional(),
})
export type RecordInput = z.input<typeof recordInput>

/** The record when the editor was opened; with it, a concurrent change is reported instead of overwritten. */
export const recordSeen = dnsRecord.pick({ type: true, name: true, content: true, ttl: true, proxied: true, priority: true, comment: true })
export type RecordSeen = z.infer<typeof recordSeen>

/** The panel's id of the zone. */
const id = z.uuid()
const recordId = z.string().min(1).max(64)

export const listRecordsInput = z.object({ id })
export const listRecordsOutput = z.object({
  records: z.array(dnsRecord),
  /** Null before the first sync. */
  readAt: z.iso.datetime().nullable(),
  /** Records that Cloudflare no longer lists, although so many rarely disappear together; they are not among `records`. */
  missing: recordDisappearance.extend({ records: z.array(dnsRecord) }).nullable(),
})
export const decideMissingInput = decideDisappearanceInput.extend({
  /** What was shown to the person; the call is refused if it has changed since. */
  shown: recordDisappearance.pick({ foundAt: true, missing: true, keptAt: true }).optional(),
})
export type MissingDecision = z.infer<typeof decideMissingInput>
/** The number of records removed from the panel. */
export const decideMissingOutput = decideDisappearanceOutput

/** The record limit of the plan; null if the provider does not report it. */
export const recordUsage = z.object({ quota: z.int().nullable(), used: z.int() })
export type RecordUsage = z.infer<typeof recordUsage>

/** Structured content can be given as `data` instead of text. */
export const createRecordInput = recordInput.partial({ content: true }).extend({ id, data: z.record(z.string(), z.unknown()).optional() })
export const recordOutput = z.object({ record: dnsRecord })

/** Absent fields stay unchanged; another type replaces the record in one batch. */
export const recordPatch = z.object({
  type: recordType.optional(),
  name: recordInput.shape.name.optional(),
  content: recordInput.shape.content.optional(),
  ttl: z.int().min(1).max(86_400).optional(),
  proxied: z.boolean().optional(),
  priority: z.int().min(0).max(65_535).optional(),
  comment: comment.nullable().optional(),
  tags: z.array(z.string().max(200)).max(20).optional(),
})
export type RecordPatch = z.infer<typeof recordPatch>
export const updateRecordInput = recordPatch.extend({
  id,
  recordId,
  data: z.record(z.string(), z.unknown()).optional(),
  seen: recordSeen.optional(),
})

export const removeRecordInput = z.object({ id, recordId })

/** Several changes, all or none per batch at the provider (200 on Free, 3,500 on paid plans per call). */
export const changeRecordsInput = z.object({
  id,
  deletes: z.array(recordId).max(5_000).default([]),
  updates: z
    .array(z.object({ recordId, patch: recordPatch, seen: recordSeen.optional() }))
    .max(5_000)
    .default([]),
  creates: z.array(recordInput).max(5_000).default([]),
})
export const changeRecordsOutput = z.object({
  records: z.array(dnsRecord),
  /** Applied so far; a later batch may be rejected. */
  done: z.int(),
  failed: z.array(
    z.object({
      kind: z.enum(['delete', 'update', 'create']),
      /** The index of the change in its list. */
      index: z.int(),
      recordId: z.string().nullable(),
      code: z.string(),
      /** The provider's own message, if it rejected the change. */
      message: z.string().nullable(),
    }),
  ),
})

/** `text` is a zone file or lines of one; its limit is above that of the provider's own import. */
export const zoneFileText = z
  .string()
  .min(1)
  .max(4 * 1024 * 1024)
export const importMode = z.enum(['add', 'replace'])
export const previewImportInput = z.object({
  id,
  text: zoneFileText,
  /** `replace` also deletes records that are not in the file. */
  mode: importMode.default('add'),
  proxied: z.boolean().default(false),
})
/** Limit of changes and rejected lines that a preview lists of each kind. */
export const mostPlanned = 1_000
export const importPlan = z.object({
  /** The token of the preview; `import` is rejected if the zone or the file has changed since. */
  token: z.string(),
  /** The totals; the lists contain the first `mostPlanned`. */
  addedCount: z.int(),
  changedCount: z.int(),
  deletedCount: z.int(),
  refusedCount: z.int(),
  added: z.array(recordInput.extend({ line: z.int() })),
  changed: z.array(z.object({ line: z.int(), before: dnsRecord, after: recordInput })),
  deleted: z.array(dnsRecord),
  unchanged: z.int(),
  /** Lines that will not be sent, with the reason: a code of the `records` texts (`zone_file.problems.<code>`). */
  refused: z.array(
    z.object({
      line: z.int(),
      text: z.string(),
      code: z.string(),
      /** The problem of a field, if that is the reason: a key of the `validation` texts with its parameters. */
      problem: z
        .object({ field: z.string(), code: z.string(), params: z.record(z.string(), z.union([z.string(), z.number()])) })
        .nullable(),
    }),
  ),
  calls: z.int(),
  /** The record limit of the plan and by how many it would be exceeded. Null if they fit or the limit is unknown. */
  full: z.object({ quota: z.int(), excess: z.int() }).nullable(),
})
export type ImportPlan = z.infer<typeof importPlan>
export const importInput = previewImportInput.extend({ token: z.string().max(200) })
const failedChange = changeRecordsOutput.shape.failed.element
export const importOutput = z.object({
  done: z.int(),
  failed: z.array(failedChange.extend({ type: z.string(), name: z.string() })),
})
export const exportOutput = z.object({ text: z.string(), fileName: z.string() })
export const exportFilesInput = z.strictObject({ zoneIds: z.array(id).min(1).max(200) })
export const exportFilesOutput = z.object({ files: z.array(exportOutput) })

/** False for addresses without a server, in any notation: unspecified, loopback, link-local, multicast, broadcast, IPv4 in IPv6. */
export function canBeOrigin(address: string): boolean {
  if (!address.includes(':')) return !/^(0|127|169\.254|22[4-9]|2[3-5]\d)\./.test(address)
  const url = `http://[${address}]`
  // The canonical notation that every address has.
  return URL.canParse(url) && !/^\[(::1?\]|::ffff:|fe[89ab]|ff)/.test(new URL(url).hostname)
}

/** R-DOM-14. `replace` sets every A (or AAAA) record to the address, `add` adds one beside each. */
export const changeIpInput = z.object({
  id: z.uuid(),
  ipAddress: z.union([z.ipv4(), z.ipv6()], { error: 'invalid_ip' }).refine(canBeOrigin, { error: 'address_of_nobody' }),
  mode: z.enum(['replace', 'add']).default('replace'),
})
