import type { AbuseKind, AbuseStatus, AbuseSubmitter, AppealReason, Mitigation } from '#shared/features/abuse-reports/schema.ts'
import type { ChangeKind, CriticalChange } from '#shared/features/provider-changes/schema.ts'
import type { DnssecState } from '#shared/features/domains/schema.ts'
import type { IpAccessMode, IpAccessTarget } from '#shared/features/domains/ip-access/values.ts'
import type { Redirect } from '#shared/features/redirects/schema.ts'
import type { ProviderZoneId } from '#shared/ids.ts'

/** A company that hosts zones, in the panel's terms. Currently only Cloudflare. */

export type Credential =
  | { readonly kind: 'global_key'; readonly email: string; readonly apiKey: string }
  | { readonly kind: 'api_token'; readonly token: string }

/** Priority of the call: people before bulk work, bulk work before syncs. */
export type Priority = 'person' | 'bulk' | 'sync'

export interface Identity {
  /** The provider's user; null if the credential may not read it (an account-owned token, or no User Read). */
  readonly userId: string | null
  readonly email: string | null
  readonly accounts: readonly { readonly id: string; readonly name: string }[]
}

export interface HostedZone {
  readonly providerZoneId: ProviderZoneId
  /** Punycode, lower case. */
  readonly name: string
  /** The provider's own term: initializing, pending, active, moved … */
  readonly status: string
  readonly paused: boolean
  /** full, partial, secondary, internal. */
  readonly type: string
  readonly developmentModeSeconds: number
  readonly nameServers: readonly string[]
  readonly originalNameServers: readonly string[]
  readonly originalRegistrar: string | null
  readonly originalDnsHost: string | null
  readonly verificationKey: string | null
  readonly cnameSuffix: string | null
  readonly vanityNameServers: readonly string[]
  readonly createdAt: Date | null
  readonly modifiedAt: Date | null
  readonly activatedAt: Date | null
  readonly account: { readonly id: string; readonly name: string }
  readonly owner: { readonly id: string | null; readonly type: string | null; readonly email: string | null }
  readonly plan: { readonly id: string; readonly name: string } | null
  readonly pageRuleQuota: number | null
  readonly customCertificateQuota: number | null
  readonly phishingDetected: boolean
}

export interface ZonePage {
  readonly zones: readonly HostedZone[]
  readonly page: number
  readonly totalPages: number
  readonly totalCount: number
}

export interface HostedSetting {
  readonly id: string
  readonly value: unknown
  /** False if the zone's plan does not permit changes. */
  readonly editable: boolean
  readonly modifiedAt: Date | null
  readonly timeRemainingSeconds: number | null
  /** What belongs to the value but cannot be set: the DNSSEC of a zone has a state and a DS record. */
  readonly details?: DnssecState
}

export interface HostedRecord {
  readonly recordId: string
  readonly type: string
  readonly name: string
  readonly content: string
  /** Seconds; 1 means automatic. */
  readonly ttl: number
  readonly proxied: boolean
  readonly proxiable: boolean
  readonly priority: number | null
  readonly comment: string | null
  readonly tags: readonly string[]
  readonly data: Readonly<Record<string, unknown>> | null
  readonly modifiedAt: Date | null
}

export type RecordInput = {
  readonly type: string
  readonly name: string
  readonly content?: string
  readonly ttl?: number
  readonly proxied?: boolean
  readonly priority?: number
  readonly comment?: string
  readonly tags?: readonly string[]
  readonly data?: Readonly<Record<string, unknown>>
}

interface RecordBatch {
  readonly deletes?: readonly { readonly recordId: string }[]
  readonly patches?: readonly (Partial<RecordInput> & { readonly recordId: string })[]
  readonly puts?: readonly (RecordInput & { readonly recordId: string })[]
  readonly posts?: readonly RecordInput[]
}

interface RecordBatchResult {
  readonly deletes: readonly string[]
  readonly patches: readonly HostedRecord[]
  readonly puts: readonly HostedRecord[]
  readonly posts: readonly HostedRecord[]
}

export interface CertificatePack {
  readonly id: string
  readonly type: string
  readonly status: string
  readonly hosts: readonly string[]
  readonly certificateAuthority: string | null
  readonly validityDays: number | null
  readonly validationMethod: string | null
  readonly validationRecords: readonly Readonly<Record<string, unknown>>[]
  readonly validationErrors: readonly string[]
  readonly expiresAt: Date | null
}

export interface CertificateVerification {
  readonly packId: string | null
  readonly certificateStatus: string
  readonly validationMethod: string | null
  readonly verificationInfo: Readonly<Record<string, unknown>> | null
}

/** A certificate of Origin CA, which only the provider trusts: for the connection from it to the origin server. */
export interface HostedOriginCertificate {
  readonly serial: string
  /** In PEM format. */
  readonly certificate: string | null
  readonly hostnames: readonly string[]
  /** origin-rsa, origin-ecc, keyless-certificate. */
  readonly requestType: string
  readonly validityDays: number | null
  readonly expiresAt: Date | null
}

interface OriginCertificateOrder {
  /** The signing request in PEM format. */
  readonly csr: string
  readonly hostnames: readonly string[]
  readonly requestType: 'origin-rsa' | 'origin-ecc'
  readonly validityDays: number
}

export interface TrafficDay {
  readonly date: string
  readonly requests: number
  readonly cachedRequests: number
  readonly bytes: number
  readonly cachedBytes: number
  readonly threats: number
  readonly pageViews: number
  readonly uniques: number
  /** Requests that were answered with a status from 400 to 499. */
  readonly clientErrors: number
  /** Those from 500 on. */
  readonly serverErrors: number
}

/** The most zones that one call reads the traffic of. */
export const zonesPerTrafficQuery = 10

/** What a rule of a ruleset says, in Cloudflare's own terms. Fields that the panel does not know are kept, because a change sends all of them. */
export interface HostedRuleDefinition {
  readonly description: string
  readonly expression: string
  readonly enabled: boolean
  readonly action: string
  readonly action_parameters?: unknown
  readonly ratelimit?: unknown
  /** The rule's own id by default; without it, a change sets it back to that. */
  readonly ref?: string
  readonly [field: string]: unknown
}

export interface HostedRule {
  readonly id: string
  readonly ref: string | null
  readonly version: string
  readonly lastUpdated: Date | null
  readonly definition: HostedRuleDefinition
}

interface RulesetHead {
  readonly id: string
  /** http_request_firewall_custom, http_ratelimit … */
  readonly phase: string
  /** Incremented by every write. */
  readonly version: string
  readonly lastUpdated: Date | null
}

export interface ListedRuleset extends RulesetHead {
  /** Only those of kind `zone` contain the zone's own rules, one ruleset for each phase; others are managed by Cloudflare. */
  readonly kind: string
}

export interface HostedRuleset extends RulesetHead {
  /** In the order in which they run. */
  readonly rules: readonly HostedRule[]
}

/** `index` 1 is the first rule; `before` and `after` are ids of rules. */
export type RulePosition = { readonly index: number } | { readonly before: string } | { readonly after: string }

interface RuleWrite {
  /**
   * Only lets the provider check the change, including permission, plan and number of rules. The result is then null; a ruleset means that
   * the provider ignored it and made the change, so it is sent like a change.
   */
  readonly dryRun?: boolean
}

export interface HostedPageRule {
  readonly id: string
  readonly targets: readonly string[]
  readonly actions: readonly { readonly id: string; readonly value: unknown }[]
  readonly priority: number | null
  /** active, disabled. */
  readonly status: string
  readonly modifiedAt: Date | null
}

export interface CallOptions {
  readonly priority: Priority
  readonly signal?: AbortSignal
}

export interface ZoneCalls {
  listZones(page: number, options: CallOptions & { readonly accountId?: string; readonly name?: string }): Promise<ZonePage>
  getZone(providerZoneId: ProviderZoneId, options: CallOptions): Promise<HostedZone>
  createZone(
    input: { readonly name: string; readonly accountId: string; readonly type?: string },
    options: CallOptions,
  ): Promise<HostedZone>
  pauseZone(providerZoneId: ProviderZoneId, paused: boolean, options: CallOptions): Promise<HostedZone>
  deleteZone(providerZoneId: ProviderZoneId, options: CallOptions): Promise<void>
  checkActivation(providerZoneId: ProviderZoneId, options: CallOptions): Promise<void>
  /** A setting whose value the provider did not report is null and not editable. */
  getSetting(providerZoneId: ProviderZoneId, setting: string, options: CallOptions): Promise<HostedSetting>
  /** All settings of bots, in one call. */
  listBotSettings(providerZoneId: ProviderZoneId, options: CallOptions): Promise<readonly HostedSetting[]>
  editSetting(providerZoneId: ProviderZoneId, setting: string, value: unknown, options: CallOptions): Promise<HostedSetting>
  purgeCache(
    providerZoneId: ProviderZoneId,
    what: { readonly everything: true } | { readonly files: readonly string[] },
    options: CallOptions,
  ): Promise<void>
}

/**
 * Writes are refused with `rule_quota_reached` if the plan has no room for another rule. Each returns the whole ruleset as it is afterwards,
 * a dry run null.
 */
export interface RulesetCalls {
  listRulesets(providerZoneId: ProviderZoneId, options: CallOptions): Promise<readonly ListedRuleset[]>
  /** Null if the zone has no ruleset in this phase. */
  getRuleset(providerZoneId: ProviderZoneId, phase: string, options: CallOptions): Promise<HostedRuleset | null>
  /** The first ruleset of a phase. Refused with `conflict` if there is one in the meantime: nothing is overwritten. */
  createRuleset(
    providerZoneId: ProviderZoneId,
    phase: string,
    rules: readonly HostedRuleDefinition[],
    write: RuleWrite,
    options: CallOptions,
  ): Promise<HostedRuleset | null>
  /** Without a position it is the last rule. */
  createRule(
    providerZoneId: ProviderZoneId,
    rulesetId: string,
    definition: HostedRuleDefinition,
    write: RuleWrite & { readonly position?: RulePosition },
    options: CallOptions,
  ): Promise<HostedRuleset | null>
  /** Replaces the definition; without a position the rule stays where it is. */
  updateRule(
    providerZoneId: ProviderZoneId,
    rulesetId: string,
    ruleId: string,
    definition: HostedRuleDefinition,
    write: RuleWrite & { readonly position?: RulePosition },
    options: CallOptions,
  ): Promise<HostedRuleset | null>
  moveRule(
    providerZoneId: ProviderZoneId,
    rulesetId: string,
    ruleId: string,
    position: RulePosition,
    write: RuleWrite,
    options: CallOptions,
  ): Promise<HostedRuleset | null>
  deleteRule(
    providerZoneId: ProviderZoneId,
    rulesetId: string,
    ruleId: string,
    write: RuleWrite,
    options: CallOptions,
  ): Promise<HostedRuleset | null>
  listPageRules(providerZoneId: ProviderZoneId, options: CallOptions): Promise<readonly HostedPageRule[]>
}

/** A redirect of an account's list. */
export interface HostedRedirect extends Redirect {
  /** Changes when the redirect is replaced. */
  readonly itemId: string
}

interface HostedRedirectList {
  readonly id: string
  readonly name: string
  readonly redirectsCount: number
}

/**
 * Lists of redirects, which belong to an account at the provider and apply to all its zones. Changes of redirects are processed by the
 * provider in the background, one call of an account at a time; further ones are refused with `provider_rate_limited` until it is done.
 */
export interface RedirectCalls {
  listRedirectLists(accountId: string, options: CallOptions): Promise<readonly HostedRedirectList[]>
  createRedirectList(
    accountId: string,
    list: { readonly name: string; readonly description: string },
    options: CallOptions,
  ): Promise<HostedRedirectList>
  /** The whole list, or those that contain a text; a call for every 500. */
  listRedirects(accountId: string, listId: string, options: CallOptions & { readonly search?: string }): Promise<readonly HostedRedirect[]>
  /** Adds redirects, replacing those with the same source. Returns the id of the operation. */
  putRedirects(accountId: string, listId: string, redirects: readonly Redirect[], options: CallOptions): Promise<string>
  deleteRedirects(accountId: string, listId: string, itemIds: readonly string[], options: CallOptions): Promise<string>
  getListOperation(
    accountId: string,
    operationId: string,
    options: CallOptions,
  ): Promise<{ readonly state: 'running' | 'completed' } | { readonly state: 'failed'; readonly message: string }>
  /** The rules that enable lists; null if the account has none. */
  getRedirectRules(accountId: string, options: CallOptions): Promise<HostedRuleset | null>
  /** The first ones. Refused if there are some in the meantime. */
  createRedirectRules(accountId: string, rules: readonly HostedRuleDefinition[], options: CallOptions): Promise<HostedRuleset>
  createRedirectRule(accountId: string, rulesetId: string, definition: HostedRuleDefinition, options: CallOptions): Promise<HostedRuleset>
}

/** Where a rule of IP access is: in a zone, or in an account for all its zones. */
export type IpRuleScope = { readonly zone: ProviderZoneId } | { readonly account: string }

export interface IpRuleInput {
  readonly mode: IpAccessMode
  readonly target: IpAccessTarget
  /** In its canonical form. */
  readonly value: string
  readonly note: string
}
export interface HostedIpRule extends IpRuleInput {
  readonly ruleId: string
  readonly createdAt: Date | null
}

/** The rules that block, challenge or allow addresses, networks, countries and AS numbers. A value has one rule per scope. */
export interface IpAccessCalls {
  /** The rules of this scope only; a call for every 1,000. */
  listIpRules(scope: IpRuleScope, options: CallOptions): Promise<readonly HostedIpRule[]>
  /** Refused with `ip_access_exists` if the value has a rule, whatever its mode. */
  createIpRule(scope: IpRuleScope, rule: IpRuleInput, options: CallOptions): Promise<HostedIpRule>
  updateIpRule(
    scope: IpRuleScope,
    ruleId: string,
    change: { readonly mode?: IpAccessMode | undefined; readonly note?: string | undefined },
    options: CallOptions,
  ): Promise<HostedIpRule>
  /** Succeeds if the rule is gone already. */
  deleteIpRule(scope: IpRuleScope, ruleId: string, options: CallOptions): Promise<void>
}

/** Who made a change, as far as the provider says. */
interface HostedActor {
  /** user, account, system … */
  readonly type: string | null
  readonly email: string | null
  readonly tokenId: string | null
  readonly tokenName: string | null
  /** dash, api_key, api_token … */
  readonly via: string | null
  readonly address: string | null
}

/** An entry of an account's audit log. */
export interface HostedChange {
  readonly changeId: string
  /** When the provider logged it. */
  readonly changedAt: Date
  readonly kind: ChangeKind
  /** create, update, delete, or the provider's own term. */
  readonly action: string
  readonly actor: HostedActor
  /** The call came from this panel. */
  readonly isOwn: boolean
  /** The provider's name of the product: dns_records, rulesets … */
  readonly product: string | null
  /** The name or the identifier of what was changed. */
  readonly subject: string | null
  readonly zone: { readonly providerZoneId: ProviderZoneId; readonly name: string | null } | null
  /** Why it is critical, as far as the entry itself shows. */
  readonly critical: Exclude<CriticalChange, 'proxied_off' | 'mass_deletion'> | null
  /** How many records it deleted. */
  readonly deletions: number
  /** Ids of changed records that are not proxied since; they may not have been before. */
  readonly unproxied: readonly string[]
}

export interface HostedChangePage {
  readonly changes: readonly HostedChange[]
  /** Null on the last page. */
  readonly cursor: string | null
}

/** What was changed in an account at the provider, by whom. Reads and refused calls are not part of it. */
export interface ChangeCalls {
  /**
   * Up to 1,000 changes of a time window, oldest first, although the provider may deliver them late, twice or in another order. A cursor that
   * has expired is refused with `provider_rejected`, a credential without the permission Account Settings Read with `provider_forbidden`.
   */
  listChanges(
    accountId: string,
    window: { readonly since: Date; readonly before: Date; readonly cursor: string | null },
    options: CallOptions,
  ): Promise<HostedChangePage>
}

/** A report of abuse in an account at the provider. */
export interface HostedAbuseReport {
  readonly reportId: string
  readonly reportedAt: Date
  /** The reported domain, in lower-case Punycode. */
  readonly domain: string
  readonly kind: AbuseKind
  readonly status: AbuseStatus
  readonly justification: string | null
  readonly originalWork: string | null
  readonly submitter: AbuseSubmitter
  readonly urls: readonly string[]
  readonly acceptedUrls: number
  /** How many mitigations there are, by state. */
  readonly active: number
  readonly pending: number
  readonly inReview: number
  readonly hostNotified: boolean
}

export interface HostedAbuseReportPage {
  readonly reports: readonly HostedAbuseReport[]
  readonly isLast: boolean
}

/** Reports of abuse in an account at the provider, and what the provider did because of them. */
export interface AbuseCalls {
  /**
   * Reports since a time, oldest first, by pages from 1. A credential without the permission Trust and Safety Read is refused with
   * `provider_forbidden`.
   */
  listAbuseReports(
    accountId: string,
    range: { readonly since: Date; readonly page: number },
    options: CallOptions,
  ): Promise<HostedAbuseReportPage>
  /** All mitigations of a report. */
  listMitigations(accountId: string, reportId: string, options: CallOptions): Promise<readonly Mitigation[]>
  /**
   * Asks for a review of mitigations. Sent once; needs the permission Trust and Safety Edit.
   * @returns those that the provider answers with, in review now
   */
  appealMitigations(
    accountId: string,
    reportId: string,
    appeal: { readonly mitigationIds: readonly string[]; readonly reason: AppealReason },
    options: CallOptions,
  ): Promise<readonly Mitigation[]>
}

export interface RecordCalls {
  /** The whole zone; one call up to 5,000 records, more pages beyond. */
  listRecords(providerZoneId: ProviderZoneId, options: CallOptions): Promise<readonly HostedRecord[]>
  getRecord(providerZoneId: ProviderZoneId, recordId: string, options: CallOptions): Promise<HostedRecord>
  createRecord(providerZoneId: ProviderZoneId, record: RecordInput, options: CallOptions): Promise<HostedRecord>
  editRecord(providerZoneId: ProviderZoneId, recordId: string, change: Partial<RecordInput>, options: CallOptions): Promise<HostedRecord>
  deleteRecord(providerZoneId: ProviderZoneId, recordId: string, options: CallOptions): Promise<void>
  /** All or nothing. At most 200 changes on Free, 3,500 on paid plans. */
  changeRecords(providerZoneId: ProviderZoneId, batch: RecordBatch, options: CallOptions): Promise<RecordBatchResult>
  exportRecords(providerZoneId: ProviderZoneId, options: CallOptions): Promise<string>
  importRecords(
    providerZoneId: ProviderZoneId,
    file: string,
    proxied: boolean,
    options: CallOptions,
  ): Promise<{ readonly added: number; readonly parsed: number }>
  recordUsage(providerZoneId: ProviderZoneId, options: CallOptions): Promise<{ readonly quota: number | null; readonly used: number }>
}

export interface CertificateCalls {
  listCertificatePacks(providerZoneId: ProviderZoneId, options: CallOptions): Promise<readonly CertificatePack[]>
  listVerifications(
    providerZoneId: ProviderZoneId,
    options: CallOptions & { readonly retry?: boolean },
  ): Promise<readonly CertificateVerification[]>
  /** Without revoked ones. */
  listOriginCertificates(providerZoneId: ProviderZoneId, options: CallOptions): Promise<readonly HostedOriginCertificate[]>
  issueOriginCertificate(order: OriginCertificateOrder, options: CallOptions): Promise<HostedOriginCertificate>
  /** Succeeds also if it is revoked already. */
  revokeOriginCertificate(serial: string, options: CallOptions): Promise<void>
}

/**
 * The calls of one credential. Every method throws `AppError` with a `provider_*` code and the provider's own code and message. Reads are
 * retried if safe; writes are sent once, unless the provider certainly did not process them.
 */
export interface HostConnection
  extends ZoneCalls, RecordCalls, CertificateCalls, RulesetCalls, RedirectCalls, IpAccessCalls, ChangeCalls, AbuseCalls {
  identify(options: CallOptions): Promise<Identity>
  /**
   * The traffic of up to `zonesPerTrafficQuery` zones by day, the oldest first, without days that have none.
   * @throws AppError provider_forbidden also if the credential may not read that of one of them
   */
  traffic(
    providerZoneIds: readonly ProviderZoneId[],
    range: { readonly from: string; readonly to: string },
    options: CallOptions,
  ): Promise<ReadonlyMap<ProviderZoneId, readonly TrafficDay[]>>
}

export interface DnsHost {
  /** `userId` is the provider's user if known: credentials of one user then share one budget. Sends nothing until a method is called. */
  connect(credential: Credential, userId: string | null): HostConnection
  /** The usage of each credential's budget, in order. Sends nothing. */
  readBudgets(callers: readonly BudgetCaller[]): Promise<BudgetUse[]>
  close(): Promise<void>
}

interface BudgetCaller {
  /** Used only if the provider's user is unknown. */
  readonly credential: () => Credential
  readonly userId: string | null
}

export interface BudgetUse {
  /** Identical for all credentials that share the budget. */
  readonly key: string
  /** Calls in the current window, including running ones. */
  readonly used: number
  readonly limit: number
  readonly windowMs: number
  /** The provider refuses all calls until then. */
  readonly blockedUntil: Date | null
}
