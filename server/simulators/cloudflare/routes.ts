import {
  createAccountAccessRule,
  createZoneAccessRule,
  deleteAccountAccessRule,
  deleteZoneAccessRule,
  editAccountAccessRule,
  editZoneAccessRule,
  getAccountAccessRule,
  getZoneAccessRule,
  listAccountAccessRules,
  listZoneAccessRules,
} from './access-rules.ts'
import { appealMitigations, getAbuseReport, listAbuseReports, listMitigations } from './abuse-report-calls.ts'
import { listAuditLog } from './audit-log-calls.ts'
import { getAccountDetails, getUser, listAccounts, listMemberships, verifyAccountToken, verifyUserToken } from './accounts.ts'
import type { PlainHandler, ZoneHandler } from './call.ts'
import { getBotManagement, putBotManagement } from './bots.ts'
import { editDnssec, getDnssec } from './dnssec.ts'
import { exportRecords, importRecords } from './dns-file.ts'
import { batchRecords, createRecord, deleteRecord, editRecord, getRecordDetails, getRecordUsage, replaceRecord } from './dns.ts'
import { queryAnalytics } from './graphql.ts'
import type { Permission } from './model.ts'
import { listPageRules } from './page-rules.ts'
import { purgeCache } from './purge.ts'
import {
  addItems,
  createList,
  deleteItems,
  deleteList,
  getList,
  getListOperation,
  listItems,
  listLists,
  replaceItems,
} from './redirect-lists.ts'
import { createAccountRule, createAccountRuleset, deleteAccountRule, editAccountRule, getAccountEntryPoint } from './redirect-rules.ts'
import { getOriginCertificate, issueOriginCertificate, listOriginCertificates, revokeOriginCertificate } from './origin-certificates.ts'
import { listRecords } from './record-list.ts'
import { RULE_READERS } from './rule-check.ts'
import {
  createRule,
  createRuleset,
  deleteRule,
  deleteRuleset,
  editRule,
  getEntryPoint,
  getEntryPointVersion,
  getRuleset,
  getVersion,
  listEntryPointVersions,
  listRulesets,
  listVersions,
  replaceEntryPoint,
  replaceRuleset,
} from './rulesets.ts'
import { editSetting, getSetting, refuseAllSettings } from './settings.ts'
import { editUniversal, editVerification, getPack, getPackQuota, getUniversal, getVerification, listPacks } from './ssl.ts'
import { createZone } from './zone-create.ts'
import { listZones } from './zone-list.ts'
import { checkActivation, deleteZone, editZone, getHold, getZoneDetails } from './zones.ts'

/** A token needs one of `anyOf`; null: any existing token, even a disabled one (verify). */
export type Route = { readonly method: string; readonly path: string; readonly anyOf: readonly Permission[] | null } & (
  | { readonly scope: 'plain'; readonly handle: PlainHandler }
  | { readonly scope: 'zone'; readonly handle: ZoneHandler }
)

/** Every operation of the simulator, by method and path template. */
export const ROUTES: readonly Route[] = [
  plain('GET', '/zones', 'zone:read', listZones),
  plain('POST', '/zones', 'zone:edit', createZone),
  plain('GET', '/accounts', 'account:read', listAccounts),
  plain('GET', '/accounts/{account}', 'account:read', getAccountDetails),
  plain('GET', '/accounts/{account}/tokens/verify', null, verifyAccountToken),
  plain('GET', '/accounts/{account}/logs/audit', 'account:read', listAuditLog),
  plain('GET', '/accounts/{account}/abuse-reports', 'trust_and_safety:read', listAbuseReports),
  plain('GET', '/accounts/{account}/abuse-reports/{report}', 'trust_and_safety:read', getAbuseReport),
  plain('GET', '/accounts/{account}/abuse-reports/{report}/mitigations', 'trust_and_safety:read', listMitigations),
  plain('POST', '/accounts/{account}/abuse-reports/{report}/mitigations/appeal', 'trust_and_safety:edit', appealMitigations),
  plain('GET', '/accounts/{account}/rules/lists', 'filter_lists:read', listLists),
  plain('POST', '/accounts/{account}/rules/lists', 'filter_lists:edit', createList),
  plain('GET', '/accounts/{account}/rules/lists/bulk_operations/{operation}', 'filter_lists:read', getListOperation),
  plain('GET', '/accounts/{account}/rules/lists/{list}', 'filter_lists:read', getList),
  plain('DELETE', '/accounts/{account}/rules/lists/{list}', 'filter_lists:edit', deleteList),
  plain('GET', '/accounts/{account}/rules/lists/{list}/items', 'filter_lists:read', listItems),
  plain('POST', '/accounts/{account}/rules/lists/{list}/items', 'filter_lists:edit', addItems),
  plain('PUT', '/accounts/{account}/rules/lists/{list}/items', 'filter_lists:edit', replaceItems),
  plain('DELETE', '/accounts/{account}/rules/lists/{list}/items', 'filter_lists:edit', deleteItems),
  plain('POST', '/accounts/{account}/rulesets', 'mass_url_redirects:edit', createAccountRuleset),
  plain('GET', '/accounts/{account}/rulesets/phases/{phase}/entrypoint', 'mass_url_redirects:read', getAccountEntryPoint),
  plain('POST', '/accounts/{account}/rulesets/{ruleset}/rules', 'mass_url_redirects:edit', createAccountRule),
  plain('PATCH', '/accounts/{account}/rulesets/{ruleset}/rules/{rule}', 'mass_url_redirects:edit', editAccountRule),
  plain('DELETE', '/accounts/{account}/rulesets/{ruleset}/rules/{rule}', 'mass_url_redirects:edit', deleteAccountRule),
  plain('GET', '/accounts/{account}/firewall/access_rules/rules', 'account_firewall:read', listAccountAccessRules),
  plain('POST', '/accounts/{account}/firewall/access_rules/rules', 'account_firewall:edit', createAccountAccessRule),
  plain('GET', '/accounts/{account}/firewall/access_rules/rules/{rule}', 'account_firewall:read', getAccountAccessRule),
  plain('PATCH', '/accounts/{account}/firewall/access_rules/rules/{rule}', 'account_firewall:edit', editAccountAccessRule),
  plain('DELETE', '/accounts/{account}/firewall/access_rules/rules/{rule}', 'account_firewall:edit', deleteAccountAccessRule),
  // The handlers check the permission themselves, because its refusal is one of their own.
  plain('GET', '/certificates', null, listOriginCertificates),
  plain('POST', '/certificates', null, issueOriginCertificate),
  plain('GET', '/certificates/{certificate}', null, getOriginCertificate),
  plain('DELETE', '/certificates/{certificate}', null, revokeOriginCertificate),
  plain('GET', '/memberships', 'user:read', listMemberships),
  plain('GET', '/user', 'user:read', getUser),
  plain('GET', '/user/tokens/verify', null, verifyUserToken),
  plain('POST', '/graphql', 'analytics:read', queryAnalytics),

  zone('GET', '', 'zone:read', getZoneDetails),
  zone('PATCH', '', 'zone:edit', editZone),
  zone('DELETE', '', 'zone:edit', deleteZone),
  zone('PUT', '/activation_check', 'zone:edit', checkActivation),
  zone('GET', '/hold', 'zone:read', getHold),
  zone('GET', '/settings', 'zone_settings:read', refuseAllSettings),
  zone('PATCH', '/settings', 'zone_settings:edit', refuseAllSettings),
  zone('GET', '/settings/{setting}', 'zone_settings:read', getSetting),
  zone('PATCH', '/settings/{setting}', 'zone_settings:edit', editSetting),

  zone('GET', '/dns_records', 'dns:read', listRecords),
  zone('POST', '/dns_records', 'dns:edit', createRecord),
  zone('POST', '/dns_records/batch', 'dns:edit', batchRecords),
  zone('GET', '/dns_records/export', 'dns:read', exportRecords),
  zone('POST', '/dns_records/import', 'dns:edit', importRecords),
  zone('GET', '/dns_records/usage', 'dns:read', getRecordUsage),
  zone('GET', '/dns_records/{record}', 'dns:read', getRecordDetails),
  zone('PUT', '/dns_records/{record}', 'dns:edit', replaceRecord),
  zone('PATCH', '/dns_records/{record}', 'dns:edit', editRecord),
  zone('DELETE', '/dns_records/{record}', 'dns:edit', deleteRecord),

  zone('GET', '/dnssec', 'dns:read', getDnssec),
  zone('PATCH', '/dnssec', 'dns:edit', editDnssec),

  zone('GET', '/ssl/universal/settings', 'ssl:read', getUniversal),
  zone('PATCH', '/ssl/universal/settings', 'ssl:edit', editUniversal),
  zone('GET', '/ssl/certificate_packs', 'ssl:read', listPacks),
  zone('GET', '/ssl/certificate_packs/quota', 'ssl:read', getPackQuota),
  zone('GET', '/ssl/certificate_packs/{pack}', 'ssl:read', getPack),
  zone('GET', '/ssl/verification', 'ssl:read', getVerification),
  zone('PATCH', '/ssl/verification/{pack}', 'ssl:edit', editVerification),

  zone('GET', '/bot_management', 'bot_management:read', getBotManagement),
  zone('PUT', '/bot_management', 'bot_management:edit', putBotManagement),

  zone('GET', '/firewall/access_rules/rules', 'firewall_services:read', listZoneAccessRules),
  zone('POST', '/firewall/access_rules/rules', 'firewall_services:edit', createZoneAccessRule),
  zone('GET', '/firewall/access_rules/rules/{rule}', 'firewall_services:read', getZoneAccessRule),
  zone('PATCH', '/firewall/access_rules/rules/{rule}', 'firewall_services:edit', editZoneAccessRule),
  zone('DELETE', '/firewall/access_rules/rules/{rule}', 'firewall_services:edit', deleteZoneAccessRule),

  zone('POST', '/purge_cache', 'cache_purge:edit', purgeCache),
  zone('GET', '/pagerules', 'page_rules:read', listPageRules),

  rules('GET', '', listRulesets),
  rules('POST', '', createRuleset),
  rules('GET', '/phases/{phase}/entrypoint', getEntryPoint),
  rules('PUT', '/phases/{phase}/entrypoint', replaceEntryPoint),
  rules('GET', '/phases/{phase}/entrypoint/versions', listEntryPointVersions),
  rules('GET', '/phases/{phase}/entrypoint/versions/{version}', getEntryPointVersion),
  rules('GET', '/{ruleset}', getRuleset),
  rules('PUT', '/{ruleset}', replaceRuleset),
  rules('DELETE', '/{ruleset}', deleteRuleset),
  rules('GET', '/{ruleset}/versions', listVersions),
  rules('GET', '/{ruleset}/versions/{version}', getVersion),
  rules('POST', '/{ruleset}/rules', createRule),
  rules('PATCH', '/{ruleset}/rules/{rule}', editRule),
  rules('DELETE', '/{ruleset}/rules/{rule}', deleteRule),
]

function plain(method: string, path: string, permission: Permission | null, handle: PlainHandler): Route {
  return { scope: 'plain', method, path, anyOf: permission === null ? null : [permission], handle }
}

function zone(method: string, path: string, permission: Permission, handle: ZoneHandler): Route {
  return { scope: 'zone', method, path: `/zones/{zone}${path}`, anyOf: [permission], handle }
}

/** Which permission is required depends on the phase; the handler checks it. */
function rules(method: string, path: string, handle: ZoneHandler): Route {
  return { scope: 'zone', method, path: `/zones/{zone}/rulesets${path}`, anyOf: RULE_READERS, handle }
}
