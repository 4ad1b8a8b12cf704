import { z } from 'zod'
import { domain, domainSettings, sslMode, tlsVersion, securityLevel } from '../schema.ts'
import { webAddress } from '#shared/possible-host.ts'
import { aiBotChoices, hstsLongestAge, hstsMaxAges } from './choices.ts'

export const hstsSetting = z.object({
  enabled: z.boolean(),
  maxAge: z.int().min(0).max(hstsLongestAge).default(hstsMaxAges[2]),
  includeSubDomains: z.boolean().default(false),
  preload: z.boolean().default(false),
  nosniff: z.boolean().default(false),
})
export type HstsSetting = z.infer<typeof hstsSetting>

/** Any subset; at least one ('Select at least one setting to change'). */
export const settingsPatch = z.object({
  ssl: sslMode.optional(),
  minTlsVersion: tlsVersion.optional(),
  alwaysUseHttps: z.boolean().optional(),
  hsts: hstsSetting.optional(),
  securityLevel: securityLevel.optional(),
  developmentMode: z.boolean().optional(),
  universalSsl: z.boolean().optional(),
  botFightMode: z.boolean().optional(),
  aiBots: z.enum(aiBotChoices).optional(),
  aiLabyrinth: z.boolean().optional(),
  managedRobotsTxt: z.boolean().optional(),
  dnssec: z.boolean().optional(),
})
export type SettingsPatch = z.infer<typeof settingsPatch>
export type SettingKey = keyof SettingsPatch

const id = z.uuid()
export const updateSettingsInput = settingsPatch
  .extend({ id })
  .refine((input) => Object.entries(input).some(([key, value]) => key !== 'id' && value !== undefined), 'settings_empty')
export const settingsAnswer = z.object({ settings: domainSettings })

export const certificate = z.object({
  id: z.string(),
  /** The type from the provider: universal, advanced, … */
  type: z.string(),
  /** The provider's status; `state` is ours. */
  status: z.string(),
  state: z.enum(['active', 'pending_validation', 'pending_issuance', 'expired', 'other']),
  hosts: z.array(z.string()),
  /** google, lets_encrypt, ssl_com … */
  authority: z.string().nullable(),
  validityDays: z.int().nullable(),
  validationMethod: z.string().nullable(),
  expiresAt: z.iso.datetime().nullable(),
  /** The validation to set up: name and value of a record, or URL and body of a file. */
  validationRecords: z.array(z.object({ kind: z.enum(['txt', 'cname', 'http', 'email']), name: z.string(), value: z.string() })),
  validationErrors: z.array(z.string()),
})
export type Certificate = z.infer<typeof certificate>

export const verification = z.object({
  certificateId: z.string().nullable(),
  status: z.string(),
  method: z.string().nullable(),
  records: certificate.shape.validationRecords,
})
export const sslState = z.object({
  universalEnabled: z.boolean().nullable(),
  certificates: z.array(certificate),
  verification: z.array(verification),
  readAt: z.iso.datetime().nullable(),
})
export type SslState = z.infer<typeof sslState>
/** `fresh`: fetches from the provider; otherwise returns the stored state. */
export const sslInput = z.object({ id, fresh: z.boolean().default(false) })
export const sslAnswer = z.object({ ssl: sslState })
export const setUniversalInput = z.object({ id, enabled: z.boolean() })
export const setDevelopmentModeInput = z.object({ id, enabled: z.boolean() })

export const settingsBatchInput = z.object({ zoneIds: z.array(id).min(1).max(1_000) })
export const settingsBatchOutput = z.object({
  results: z.array(
    z.union([
      z.object({ zoneId: id, settings: domainSettings }),
      z.object({ zoneId: id, error: z.object({ code: z.string(), message: z.string() }) }),
    ]),
  ),
})

// ---- quick actions of one domain

const refreshedPart = z.enum(['zone', 'records', 'settings', 'ssl', 'rules'])
export const refreshZoneOutput = z.object({
  zone: domain,
  read: z.array(refreshedPart).describe('Parts that were read'),
  /** Parts that could not be read, each with the provider's message. */
  problems: z.array(z.object({ part: refreshedPart, code: z.string(), message: z.string().nullable() })),
})
export const purgeFiles = z.array(webAddress('purge_url', 2_000)).min(1).max(1_000)
/** Everything, or these URLs; exactly one of the two. */
export const purgeCacheInput = z
  .object({
    id,
    purgeEverything: z.literal(true).optional(),
    files: purgeFiles.optional(),
  })
  .refine(({ purgeEverything, files }) => (purgeEverything === undefined) !== (files === undefined), 'purge_choice')
export const setGroupInput = z.object({ id, groupId: z.uuid().nullable() })
/** `name` is typed by the user and must be that of the domain. */
export const removeZoneInput = z.object({ id, name: z.string().max(255).optional() })
export const pauseZoneInput = z.object({ id, paused: z.boolean() })

export const trafficDay = z.object({
  date: z.iso.date(),
  requests: z.number(),
  cachedRequests: z.number(),
  bytes: z.number(),
  cachedBytes: z.number(),
  threats: z.number(),
  pageViews: z.number(),
  uniques: z.number(),
  /** Requests that were answered with a status from 400 to 499, and from 500 on. */
  clientErrors: z.number(),
  serverErrors: z.number(),
})
export const trafficOutput = z.object({
  days: z.array(trafficDay),
  /** Why there is none: the key may not read analytics, or the provider did not answer. */
  unavailable: z.object({ code: z.string(), message: z.string().nullable() }).nullable(),
})

/** The current name servers in public DNS, compared with those that the zone requires. */
export const nameServerTruth = z.object({
  wanted: z.array(z.string()),
  /** The delegation in the parent zone (the registry); null if it did not answer. */
  delegated: z.array(z.string()).nullable(),
  state: z.enum(['right', 'partly', 'elsewhere', 'none', 'unknown']),
  checkedAt: z.iso.datetime(),
})
export type NameServerTruth = z.infer<typeof nameServerTruth>
/** The number of look-ups that can be made together within some seconds. */
export const checkNameServersInput = z.object({ ids: z.array(z.uuid()).min(1).max(100) })
export const checkNameServersOutput = z.object({ results: z.array(z.object({ id: z.uuid(), nameServers: nameServerTruth })) })

export const dsRecord = z.object({
  keyTag: z.int(),
  algorithm: z.int(),
  digestType: z.int(),
  /** Upper-case hexadecimal digits. */
  digest: z.string(),
})
export type DsRecord = z.infer<typeof dsRecord>

/** The DS records of a domain in public DNS, compared with the one that Cloudflare requires. */
export const dsTruth = z.object({
  /** Null: DNSSEC was never enabled. */
  wanted: dsRecord.nullable(),
  /** At the parent zone; null if DNS did not answer. */
  published: z.array(dsRecord).nullable(),
  state: z.enum(['published', 'different', 'not_published', 'unknown']),
  checkedAt: z.iso.datetime(),
})
export type DsTruth = z.infer<typeof dsTruth>
export const dsTruthAnswer = z.object({ ds: dsTruth })
