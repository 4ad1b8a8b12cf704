import { z } from 'zod'
import { changeBatch } from './history/batch.ts'
import { aiBotChoices, dnssecStatuses, securityLevels, sslModes, tlsVersions } from './settings/choices.ts'
import { parseAddressFilter } from '#shared/features/addresses/address-filter.ts'
import type { PackedRows } from './packed-rows.ts'
import { originCertificateStates } from './origin-certificates/choices.ts'
import { paidSource } from '#shared/features/registrars/registry/schema.ts'
import { ownership, sharedWithMe } from '#shared/features/sharing/schema.ts'

export const zoneStatus = z.enum(['active', 'pending', 'error', 'initializing'])
export const zoneHealth = z.enum(['ok', 'warnings', 'critical', 'unknown'])
export const sslMode = z.enum([...sslModes, 'origin_pull'])
export const tlsVersion = z.enum(tlsVersions)
export const securityLevel = z.enum(['off', ...securityLevels])
const onOff = z.enum(['enabled', 'disabled'])

/** `203.0.113.7`, `203.0.113.0/24` or `203.0.113.*`. */
export const addressFilterText = z
  .string()
  .trim()
  .max(64)
  .refine((text) => parseAddressFilter(text) !== null, 'invalid_address_filter')

/** Filters combine with AND; the values of one filter combine with OR. */
export const domainFilter = z.object({
  /** Part of the name, in Unicode or Punycode, any case. */
  search: z.string().trim().max(255).optional(),
  accountIds: z.array(z.uuid()).max(1_000).optional(),
  groupIds: z.array(z.uuid()).max(1_000).optional(),
  /** Only for the user's own domains. */
  registrarIds: z.array(z.uuid()).max(1_000).optional(),
  /** `none`: own domains that are attached to no registrar. Combined with `registrarIds` it adds them. */
  registrar: z.literal('none').optional(),
  /** Own domains whose paid term ends within this number of days, according to their registrars; `over`: already ended. */
  paidUntil: z.union([z.literal('over'), z.int().min(1).max(3_650)]).optional(),
  status: zoneStatus.optional(),
  /** `on`: any mode except off. */
  ssl: z.union([sslMode, z.literal('on')]).optional(),
  https: onOff.optional(),
  securityLevel: securityLevel.optional(),
  tlsMin: tlsVersion.optional(),
  health: zoneHealth.optional(),
  botFightMode: onOff.optional(),
  aiBots: z.enum(aiBotChoices).optional(),
  aiLabyrinth: onOff.optional(),
  managedRobotsTxt: onOff.optional(),
  /** The status at the provider: `pending` waits for the DS record at the registrar. */
  dnssec: z.enum(dnssecStatuses).optional(),
  /** By the nearest expiry of the certificates of Origin CA. */
  originCertificate: z.enum(originCertificateStates).optional(),
  /**
   * Whether there were requests in the last 30 days. `idle`: none, and active or known for longer than that. `ungrouped`: some, without a group.
   */
  traffic: z.enum(['some', 'none', 'idle', 'ungrouped']).optional(),
  /** Bound in a tracker of this kind; `none`: in no tracker. */
  tracker: z.enum(['none', 'KEITARO', 'BINOM']).optional(),
  /** The account's email; a partial email matches anywhere in it. */
  email: z.string().trim().max(254).optional(),
  /** An origin address, exactly; a network (`203.0.113.0/24`); or a prefix ending with `*`. */
  ip: addressFilterText.optional(),
  /** Administrators see all owners and others see what is shared with them; this filters by one. */
  ownerId: z.uuid().optional(),
  ownership: ownership.optional(),
})
export type DomainFilter = z.infer<typeof domainFilter>

export const domainSortKey = z.enum([
  'name',
  'status',
  'sslMode',
  'securityLevel',
  'account',
  'health',
  'recordsCount',
  /** Those of the last 30 days. */
  'requests',
  /** Unknown values sort last. */
  'paidUntil',
  'createdAt',
  'updatedAt',
])
export const domainSort = z.object({ by: domainSortKey.default('name'), direction: z.enum(['asc', 'desc']).default('asc') })
export type DomainSort = z.infer<typeof domainSort>

/** In how many days traffic is shown. */
export const trafficDays = 30

/** What a zone was asked for in the last 30 days, as last read. */
export const domainTraffic = z.object({
  requests: z.number(),
  bytes: z.number(),
  threats: z.number(),
  /** Requests that were answered with a status from 400 to 499, and from 500 on. */
  clientErrors: z.number(),
  serverErrors: z.number(),
  /** The requests of each day, the oldest first: a digit from 0, none, to 9, as many as on the busiest day. */
  trend: z.string(),
})
export type DomainTraffic = z.infer<typeof domainTraffic>

/** A zone as shown in lists. `id` is the panel's, `zoneId` the provider's. */
export const domain = z.object({
  id: z.uuid(),
  ownerId: z.uuid(),
  shared: sharedWithMe,
  accountId: z.uuid(),
  registrarId: z.uuid().nullable(),
  groupId: z.uuid().nullable(),
  zoneId: z.string(),
  /** Punycode. */
  name: z.string(),
  /** The Unicode form, for display. */
  displayName: z.string(),
  status: zoneStatus,
  providerStatus: z.string(),
  paused: z.boolean(),
  /** No longer in the account at the provider. */
  gone: z.boolean(),
  nameServers: z.array(z.string()),
  plan: z.string().nullable(),
  type: z.string(),
  /** Null until the settings are synced. */
  sslMode: z.string().nullable(),
  tlsMin: z.string().nullable(),
  https: z.boolean().nullable(),
  hsts: z.boolean().nullable(),
  securityLevel: z.string().nullable(),
  /** Those of bots are null too if the plan lacks them or the credential may not read them. A value that the panel does not know is `other`. */
  botFightMode: z.boolean().nullable(),
  aiBots: z.string().nullable(),
  aiLabyrinth: z.boolean().nullable(),
  managedRobotsTxt: z.boolean().nullable(),
  dnssecStatus: z.string().nullable(),
  /** The state of the certificate of Origin CA that expires first; null until they are read. One that was renewed does not count. */
  originCertificate: z.enum(originCertificateStates).nullable(),
  originCertificateExpiresAt: z.iso.datetime().nullable(),
  proxiedCount: z.int(),
  /** Null until the records are synced. */
  recordsCount: z.int().nullable(),
  originIPs: z.array(z.string()),
  /** Null until it is read, or if the credential may not read it. */
  traffic: domainTraffic.nullable(),
  trackerType: z.string().nullable(),
  /** Seconds left; 0 when off. */
  developmentMode: z.int(),
  phishingDetected: z.boolean(),
  health: zoneHealth,
  account: z.object({ email: z.string(), name: z.string().nullable() }),
  registrar: z.object({ name: z.string() }).nullable(),
  /** The date from its registrar, or else its registry; null if it is unknown or the domain has another owner. */
  paidUntil: z.iso.datetime().nullable(),
  /** The source of the date, and when it was reported. */
  paidSource: paidSource.nullable(),
  paidReadAt: z.iso.datetime().nullable(),
  /** Reported by its registrar. */
  autoRenew: z.boolean().nullable(),
  group: z.object({ name: z.string(), color: z.string().nullable(), icon: z.string().nullable() }).nullable(),
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
  listedAt: z.iso.datetime(),
})
export type Domain = z.infer<typeof domain>

/** What the panel's list shows of a zone, in any of its columns, in cards and menus. */
export const listedDomain = domain.pick({
  id: true,
  ownerId: true,
  accountId: true,
  groupId: true,
  registrarId: true,
  shared: true,
  name: true,
  displayName: true,
  status: true,
  /** For the label of the status. */
  providerStatus: true,
  paused: true,
  gone: true,
  sslMode: true,
  tlsMin: true,
  https: true,
  securityLevel: true,
  botFightMode: true,
  aiBots: true,
  aiLabyrinth: true,
  managedRobotsTxt: true,
  dnssecStatus: true,
  originCertificate: true,
  originCertificateExpiresAt: true,
  proxiedCount: true,
  recordsCount: true,
  originIPs: true,
  traffic: true,
  trackerType: true,
  developmentMode: true,
  phishingDetected: true,
  health: true,
  account: true,
  registrar: true,
  paidUntil: true,
  group: true,
  createdAt: true,
  updatedAt: true,
})
export type ListedDomain = z.infer<typeof listedDomain>
export const listedDomainFields = listedDomain.keyof().options

export const listDomainsInput = z.object({
  filter: domainFilter.default({}),
  sort: domainSort.default({ by: 'name', direction: 'asc' }),
  /** Continues after the last row of the previous page. */
  cursor: z.string().max(1_000).optional(),
  /** Jumps to a row by its index when there is no cursor. */
  offset: z.int().min(0).max(1_000_000).optional(),
  limit: z.int().min(1).max(200).default(50),
})
export const listDomainsOutput = z.object({ domains: z.array(domain), nextCursor: z.string().nullable() })

const ofEachField = (make: (field: z.ZodType) => z.ZodType) =>
  z.object(Object.fromEntries(Object.entries(listedDomain.shape).map(([name, field]) => [name, make(field).optional()])))
/** A page of the panel's list by column: `unpackRows` makes rows of it. */
export const domainRowsOutput = z.object({
  rows: z.object({
    count: z.int(),
    same: listedDomain.partial(),
    columns: ofEachField((field) => z.array(field)),
    choices: ofEachField((field) => z.object({ values: z.array(field), rows: z.union([z.array(z.int()), z.string()]) })),
    times: ofEachField(() => z.array(z.int().nullable())),
  }) as unknown as z.ZodType<PackedRows<ListedDomain>>,
  nextCursor: z.string().nullable(),
})

export const domainsByIdInput = z.object({ ids: z.array(z.uuid()).max(1_000) })
export const domainsByIdOutput = z.object({ domains: z.array(domain) })

const count = z.int()
export const domainSummaryInput = z.object({ filter: domainFilter.default({}) })
export const domainSummary = z.object({
  /** The number of matches. */
  matching: count,
  /** Over everything that the user can see, regardless of the filter. */
  tiles: z.object({ total: count, active: count, pending: count, withSsl: count, alwaysHttps: count, underAttack: count }),
  /** For each filter, the number of matches by value with the other filters applied. A missing key means zero. */
  facets: z.object({
    status: z.record(z.string(), count),
    ssl: z.record(z.string(), count),
    https: z.record(z.string(), count),
    securityLevel: z.record(z.string(), count),
    tlsMin: z.record(z.string(), count),
    health: z.record(z.string(), count),
    tracker: z.record(z.string(), count),
    account: z.record(z.string(), count),
    group: z.record(z.string(), count),
  }),
  freshness: z.object({
    /** The oldest and newest full sync of the zone lists of the shown accounts; null before the first. */
    oldest: z.iso.datetime().nullable(),
    newest: z.iso.datetime().nullable(),
    /** Accounts that are syncing now, and zones whose details are still to be read. */
    syncing: count,
    detailsPending: count,
  }),
})
export type DomainSummary = z.infer<typeof domainSummary>

export const domainRangeInput = z.object({
  filter: domainFilter.default({}),
  sort: domainSort.default({ by: 'name', direction: 'asc' }),
  /** Indexes in the sorted list, both inclusive. */
  from: z.int().min(0).max(1_000_000),
  to: z.int().min(0).max(1_000_000),
})
export const domainIds = z.object({ ids: z.array(z.uuid()) })

export const lookupInput = z.object({ names: z.array(z.string().max(300)).min(1).max(10_000) })
const lookedUp = z.object({
  id: z.uuid(),
  displayName: z.string(),
  accountId: z.uuid(),
  accountEmail: z.string(),
  ownerId: z.uuid(),
  status: zoneStatus,
  /** No longer in the account at the provider. */
  gone: z.boolean(),
})
export const lookupOutput = z.object({
  results: z.array(
    z.object({
      given: z.string(),
      /** The parsed name in Punycode; null if it is invalid. */
      name: z.string().nullable(),
      state: z.enum(['ours', 'absent', 'invalid', 'repeated']),
      domain: lookedUp.nullable(),
      /** The same name in other accounts. */
      others: z.array(lookedUp),
    }),
  ),
})

export const searchDomainsInput = z.object({ text: z.string().trim().max(255) })
export const searchDomainsOutput = z.object({
  domains: z.array(z.object({ id: z.uuid(), name: z.string(), displayName: z.string() })).max(5),
})

export const domainIdInput = z.object({ id: z.uuid() })
export const domainAnswer = z.object({ zone: domain })
export const changeIpOutput = domainAnswer.extend(changeBatch)

/** All stored data of a zone; a date is null if the provider reported none. */
export const domainDetails = domain.extend({
  providerAccount: z.object({ id: z.string(), name: z.string().nullable() }).nullable(),
  originalNameServers: z.array(z.string()),
  originalRegistrar: z.string().nullable(),
  originalDnsHost: z.string().nullable(),
  verificationKey: z.string().nullable(),
  cnameSuffix: z.string().nullable(),
  vanityNameServers: z.array(z.string()),
  pageRuleQuota: z.int().nullable(),
  customCertificateQuota: z.int().nullable(),
  activatedAt: z.iso.datetime().nullable(),
  modifiedAt: z.iso.datetime().nullable(),
  recordsReadAt: z.iso.datetime().nullable(),
  /** The latest change of its records in the history. */
  recordsChangedAt: z.iso.datetime().nullable(),
  settingsReadAt: z.iso.datetime().nullable(),
  /** When development mode ends automatically; null when it is off. `developmentMode` is the remaining time when the response was made. */
  developmentModeEndsAt: z.iso.datetime().nullable(),
  /** Null until the domain is refreshed. */
  pageRulesUsed: z.int().nullable(),
  /** Rules of all phases, page rules, and rules of IP access; null until the rules are read. */
  rulesCount: z.int().nullable(),
  /** Null until the certificates are read. `expiresAt`: the earliest expiry of the certificates in use. */
  certificates: z
    .object({
      universalEnabled: z.boolean().nullable(),
      total: z.int(),
      active: z.int(),
      expiresAt: z.iso.datetime().nullable(),
      readAt: z.iso.datetime(),
    })
    .nullable(),
  _count: z.object({ dnsRecords: z.int().nullable() }),
})
export type DomainDetails = z.infer<typeof domainDetails>
export const domainDetailsAnswer = z.object({ zone: domainDetails })

/** The DNSSEC of a zone as the provider reports it, with the DS record for the registrar; null until the provider has it. */
export const dnssecState = z.object({
  /** disabled, pending, active, pending-disabled, error */
  status: z.string(),
  /** The whole record as text. */
  ds: z.string().nullable(),
  keyTag: z.int().nullable(),
  algorithm: z.string().nullable(),
  digestType: z.string().nullable(),
  digest: z.string().nullable(),
  flags: z.int().nullable(),
  publicKey: z.string().nullable(),
})
export type DnssecState = z.infer<typeof dnssecState>

export const domainSettings = z.object({
  ssl: z.string().nullable(),
  minTlsVersion: z.string().nullable(),
  alwaysUseHttps: z.boolean().nullable(),
  hsts: z.boolean().nullable(),
  securityLevel: z.string().nullable(),
  /** Null until the certificates are read. */
  universalSsl: z.boolean().nullable(),
  /** Those of bots are null until they were read once: the plan may lack them, or the credential may not read them. */
  botFightMode: z.boolean().nullable(),
  aiBots: z.string().nullable(),
  aiLabyrinth: z.boolean().nullable(),
  managedRobotsTxt: z.boolean().nullable(),
  /** Whether it is enabled at the provider; `dnssecState` shows whether the registrar has the DS record. */
  dnssec: z.boolean().nullable(),
  dnssecState: dnssecState.nullable(),
  /** Seconds left; 0 when off. */
  developmentMode: z.int(),
  /** When it ends automatically; null when it is off. */
  developmentModeEndsAt: z.iso.datetime().nullable(),
  /** Settings as the provider returned them. */
  values: z.record(z.string(), z.object({ value: z.unknown(), editable: z.boolean(), modifiedOn: z.string().nullable() })),
  /** Null before the first sync. */
  readAt: z.iso.datetime().nullable(),
  ageSeconds: z.int().nullable(),
})
export type DomainSettings = z.infer<typeof domainSettings>
export const domainSettingsAnswer = z.object({ settings: domainSettings })

export const filterOptionsInput = z.object({ ownerId: z.uuid().optional() })
/** The options of the filters, without empty ones. `zones` counts without any filter. */
export const filterOptions = z.object({
  accounts: z.array(z.object({ id: z.uuid(), ownerId: z.uuid(), email: z.string(), name: z.string().nullable(), zones: count })),
  groups: z.array(
    z.object({
      id: z.uuid(),
      ownerId: z.uuid(),
      name: z.string(),
      color: z.string().nullable(),
      icon: z.string().nullable(),
      zones: count,
    }),
  ),
  /** Empty except for administrators who see more than one owner. */
  owners: z.array(z.object({ id: z.uuid(), name: z.string(), zones: count })),
  /** Whether others share something with the user. */
  shared: z.boolean(),
})
export type FilterOptions = z.infer<typeof filterOptions>

export const listDomainsLiveOutput = z.object({
  data: z.array(domain),
  nextCursor: z.string().optional(),
  freshness: domainSummary.shape.freshness,
})

const idList = z
  .string()
  .transform((text) => text.split(',').map((part) => part.trim()))
  .pipe(z.array(z.uuid()).max(1_000))
/** The filters as query parameters: lists are comma-separated. */
export const listDomainsLiveInput = domainFilter
  .extend({
    accountIds: idList.optional(),
    groupIds: idList.optional(),
    registrarIds: idList.optional(),
    paidUntil: z.union([z.literal('over'), z.coerce.number().pipe(z.int().min(1).max(3_650))]).optional(),
    cursor: z.string().max(1_000).optional(),
    /** Defaults to 10,000. */
    limit: z.coerce.number().int().min(1).max(1_000).optional(),
  })
  // A misspelled filter would otherwise return every domain.
  .strict()
