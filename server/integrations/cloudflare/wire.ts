import { z } from 'zod'
import { ipAccessModes, ipAccessTargets } from '#shared/features/domains/ip-access/values.ts'

/**
 * The parts of Cloudflare's JSON that the panel uses. Unknown fields are ignored; only essential fields are required, and an unexpected
 * value elsewhere counts as absent.
 */
const optional = <T extends z.ZodType>(schema: T) => schema.nullish().catch(null)
const texts = optional(z.array(z.string()))
const object = z.record(z.string(), z.unknown())

const code = z.union([z.number(), z.string()])
interface ErrorItem {
  readonly code?: number | string | null | undefined
  readonly message?: string | null | undefined
  readonly error_chain?: readonly ErrorItem[] | null | undefined
  readonly source?: { readonly pointer?: string | null | undefined } | null | undefined
}
const errorItem: z.ZodType<ErrorItem> = z.lazy(() =>
  z.object({
    code: optional(code),
    message: optional(z.string()),
    error_chain: optional(z.array(errorItem)),
    source: optional(z.object({ pointer: optional(z.string()) })),
  }),
)
export type WireError = z.output<typeof errorItem>

const resultInfo = z.object({
  page: optional(z.number()),
  per_page: optional(z.number()),
  count: optional(z.number()),
  total_count: optional(z.number()),
  total_pages: optional(z.number()),
  // Of lists that are read with a cursor; Cloudflare documents both places.
  cursor: optional(z.string()),
  cursors: optional(z.object({ after: optional(z.string()) })),
})
export type WireResultInfo = z.output<typeof resultInfo>

export const envelope = z.object({
  success: optional(z.boolean()),
  errors: optional(z.array(errorItem)),
  result: z.unknown(),
  result_info: optional(resultInfo),
})

export const user = z.object({ id: z.string(), email: optional(z.string()) })
export const tokenState = z.object({ id: optional(z.string()), status: optional(z.string()) })
export const account = z.object({ id: z.string(), name: optional(z.string()) })

export const zone = z.object({
  id: z.string(),
  name: z.string(),
  status: optional(z.string()),
  paused: optional(z.boolean()),
  type: optional(z.string()),
  development_mode: optional(z.number()),
  name_servers: texts,
  original_name_servers: texts,
  original_registrar: optional(z.string()),
  original_dnshost: optional(z.string()),
  verification_key: optional(z.string()),
  cname_suffix: optional(z.string()),
  vanity_name_servers: texts,
  created_on: optional(z.string()),
  modified_on: optional(z.string()),
  activated_on: optional(z.string()),
  account: optional(z.object({ id: z.string(), name: optional(z.string()) })),
  owner: optional(z.object({ id: optional(z.string()), type: optional(z.string()), email: optional(z.string()) })),
  plan: optional(z.object({ id: z.string(), name: optional(z.string()) })),
  meta: optional(
    z.object({
      page_rule_quota: optional(z.number()),
      custom_certificate_quota: optional(z.number()),
      phishing_detected: optional(z.boolean()),
    }),
  ),
})
export type WireZone = z.output<typeof zone>

export const setting = z.object({
  id: optional(z.string()),
  value: z.unknown(),
  editable: optional(z.boolean()),
  modified_on: optional(z.string()),
  time_remaining: optional(z.number()),
})
export type WireSetting = z.output<typeof setting>

export const record = z.object({
  id: z.string(),
  type: z.string(),
  name: z.string(),
  content: optional(z.string()),
  ttl: optional(z.number()),
  proxied: optional(z.boolean()),
  proxiable: optional(z.boolean()),
  priority: optional(z.number()),
  comment: optional(z.string()),
  tags: texts,
  data: optional(object),
  modified_on: optional(z.string()),
})
export type WireRecord = z.output<typeof record>

const list = <T extends z.ZodType>(item: T) =>
  z
    .array(item)
    .nullish()
    .transform((items) => items ?? [])

export const batchResult = z.object({
  deletes: list(z.object({ id: z.string() })),
  patches: list(record),
  puts: list(record),
  posts: list(record),
})
export const importResult = z.object({ recs_added: optional(z.number()), total_records_parsed: optional(z.number()) })
export const usage = z.object({ record_quota: optional(z.number()), record_usage: optional(z.number()) })
/** Plans differ in their fields, and a field may have a value that is not known yet. */
export const botManagement = z.object({
  fight_mode: optional(z.boolean()),
  ai_bots_protection: optional(z.string()),
  crawler_protection: optional(z.enum(['enabled', 'disabled'])),
  is_robots_txt_managed: optional(z.boolean()),
})
export const dnssec = z.object({
  status: optional(z.string()),
  ds: optional(z.string()),
  key_tag: optional(z.int()),
  algorithm: optional(z.string()),
  digest_type: optional(z.string()),
  digest: optional(z.string()),
  flags: optional(z.int()),
  public_key: optional(z.string()),
  modified_on: optional(z.string()),
})
export const universalSsl = z.object({ enabled: z.boolean() })

export const certificatePack = z.object({
  id: z.string(),
  type: optional(z.string()),
  status: optional(z.string()),
  hosts: texts,
  certificate_authority: optional(z.string()),
  validity_days: optional(z.number()),
  validation_method: optional(z.string()),
  validation_records: optional(z.array(object)),
  validation_errors: optional(z.array(z.object({ message: optional(z.string()) }))),
  primary_certificate: optional(code),
  certificates: optional(z.array(z.object({ id: optional(code), expires_on: optional(z.string()) }))),
})
export type WireCertificatePack = z.output<typeof certificatePack>

/** The validity is a number or its text, depending on the age of the certificate. */
export const originCertificate = z.object({
  id: code,
  certificate: optional(z.string()),
  hostnames: texts,
  request_type: optional(z.string()),
  requested_validity: optional(z.coerce.number().int()),
  expires_on: optional(z.string()),
  revoked_at: optional(z.string()),
})
export type WireOriginCertificate = z.output<typeof originCertificate>

export const verification = z.object({
  cert_pack_uuid: optional(z.string()),
  certificate_status: optional(z.string()),
  validation_method: optional(z.string()),
  verification_info: optional(z.union([object, z.array(object).transform((items) => items[0] ?? {})])),
})
export type WireVerification = z.output<typeof verification>

const rulesetHead = z.object({
  id: z.string(),
  phase: optional(z.string()),
  version: optional(code),
  last_updated: optional(z.string()),
})
/** Loose, because a change of a rule sends all its fields; for the same reason an unexpected value is not taken as absent. */
const rule = z.looseObject({
  id: z.string(),
  ref: z.string().nullish(),
  version: optional(code),
  last_updated: optional(z.string()),
  description: optional(z.string()),
  expression: z.string().nullish(),
  action: z.string().nullish(),
  enabled: z.boolean().nullish(),
})
export type WireRule = z.output<typeof rule>
/** Without `rules` if it has none. */
export const ruleset = rulesetHead.extend({ rules: list(rule) })
export type WireRuleset = z.output<typeof ruleset>
export const rulesets = list(rulesetHead.extend({ kind: optional(z.string()) }))

/** Lists of other kinds have other items, which are not read. */
export const redirectLists = list(
  z.object({ id: z.string(), name: z.string(), kind: optional(z.string()), num_items: optional(z.number()) }),
)
export const redirectList = z.object({ id: z.string(), name: z.string() })
const flag = optional(z.boolean())
export const redirectItems = list(
  z.object({
    id: z.string(),
    redirect: z.object({
      source_url: z.string(),
      target_url: z.string(),
      status_code: optional(z.literal([301, 302, 307, 308])),
      include_subdomains: flag,
      subpath_matching: flag,
      preserve_query_string: flag,
      preserve_path_suffix: flag,
    }),
  }),
)
export const listOperationStarted = z.object({ operation_id: z.string() })
export const listOperation = z.object({ status: z.string(), error: optional(z.string()) })

export const accessRule = z.object({
  id: z.string(),
  mode: z.enum(ipAccessModes),
  configuration: z.object({ target: z.enum(ipAccessTargets), value: z.string() }),
  notes: optional(z.string()),
  created_on: optional(z.string()),
  scope: optional(z.object({ type: optional(z.string()) })),
})
export type WireAccessRule = z.output<typeof accessRule>
const otherAccessRule = z
  .object({ id: z.string(), mode: z.string(), configuration: z.object({ target: z.string(), value: z.string() }) })
  .transform(() => null)
/** Null: a rule with a mode or a target that the panel does not know, which cannot be shown. */
export const accessRules = list(z.union([accessRule, otherAccessRule]))

export const pageRule = z.object({
  id: z.string(),
  targets: list(z.object({ constraint: optional(z.object({ value: optional(z.string()) })) })),
  actions: list(z.object({ id: z.string(), value: z.unknown() })),
  priority: optional(z.number()),
  status: optional(z.string()),
  modified_on: optional(z.string()),
})
export type WirePageRule = z.output<typeof pageRule>

export const zones = z.array(zone)
export const records = z.array(record)
export const accounts = z.array(account)
/** Null if empty. */
export const certificatePacks = list(certificatePack)
export const originCertificates = list(originCertificate)
export const verifications = list(verification)
export const pageRules = list(pageRule)
export const anything = z.unknown()

/** A whole number, so that sums of amounts do not depend on their order. */
const amount = z
  .number()
  .nullish()
  .transform((value) => Math.round(value ?? 0))
const trafficDay = z.object({
  dimensions: z.object({ date: z.string() }),
  sum: z.object({
    requests: amount,
    cachedRequests: amount,
    bytes: amount,
    cachedBytes: amount,
    threats: amount,
    pageViews: amount,
    responseStatusMap: z
      .array(z.object({ edgeResponseStatus: amount, requests: amount }))
      .nullish()
      .transform((map) => map ?? []),
  }),
  uniq: z.object({ uniques: amount }),
})
export const trafficAnswer = z.object({
  data: z
    .object({
      viewer: z.object({
        zones: z.array(
          /** Null if this zone failed and others did not, or cannot be read. */
          optional(
            z.object({
              zoneTag: z.string(),
              httpRequests1dGroups: optional(z.array(trafficDay)),
            }),
          ),
        ),
      }),
    })
    .nullish(),
  errors: optional(
    z.array(
      z.object({
        message: optional(z.string()),
        path: optional(z.array(z.union([z.string(), z.number()]))),
        extensions: optional(z.object({ code: optional(z.string()) })),
      }),
    ),
  ),
})

/** An entry of an audit log. One without an identifier or a time is left out: it could not be stored once. */
const change = z.object({
  id: z.string().regex(/^[\w-]{1,100}$/),
  action: z.object({ time: z.string(), type: optional(z.string()), result: optional(z.string()) }),
  actor: optional(
    z.object({
      type: optional(z.string()),
      email: optional(z.string()),
      context: optional(z.string()),
      ip_address: optional(z.string()),
      token_id: optional(z.string()),
      token_name: optional(z.string()),
    }),
  ),
  raw: optional(z.object({ uri: optional(z.string()), user_agent: optional(z.string()) })),
  resource: optional(
    z.object({
      id: optional(z.string()),
      product: optional(z.string()),
      type: optional(z.string()),
      request: optional(object),
      response: optional(object),
    }),
  ),
  zone: optional(z.object({ id: optional(z.string()), name: optional(z.string()) })),
})
export type WireChange = z.output<typeof change>
export const changes = z.array(change.nullable().catch(null))

const summary = z.object({
  accepted_url_count: optional(z.number()),
  active_count: optional(z.number()),
  in_review_count: optional(z.number()),
  pending_count: optional(z.number()),
  external_host_notified: optional(z.boolean()),
})
/** Becomes part of a path. */
const reportId = z.string().regex(/^[\w-]{1,100}$/)
const abuseReport = z.object({
  id: reportId,
  cdate: z.string(),
  domain: z.string(),
  type: optional(z.string()),
  status: optional(z.string()),
  justification: optional(z.string()),
  original_work: optional(z.string()),
  submitter: optional(
    z.object({
      name: optional(z.string()),
      company: optional(z.string()),
      email: optional(z.string()),
      telephone: optional(z.string()),
    }),
  ),
  urls: texts,
  mitigation_summary: optional(summary),
})
export type WireAbuseReport = z.output<typeof abuseReport>
export const abuseReports = z.object({ reports: optional(z.array(abuseReport.nullable().catch(null))) })

const mitigation = z.object({
  id: reportId,
  type: optional(z.string()),
  status: optional(z.string()),
  entity_type: optional(z.string()),
  entity_id: optional(z.string()),
  effective_date: optional(z.string()),
})
export type WireMitigation = z.output<typeof mitigation>
export const mitigations = z.object({ mitigations: optional(z.array(mitigation.nullable().catch(null))) })
export const appealed = z.array(mitigation.nullable().catch(null)).nullish().catch(null)
