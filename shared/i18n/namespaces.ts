import type abuseReports from './locales/ru/abuse-reports.json'
import type accounts from './locales/ru/accounts.json'
import type activity from './locales/ru/activity.json'
import type addresses from './locales/ru/addresses.json'
import type alerts from './locales/ru/alerts.json'
import type apiTokens from './locales/ru/api-tokens.json'
import type auth from './locales/ru/auth.json'
import type buying from './locales/ru/buying.json'
import type common from './locales/ru/common.json'
import type domains from './locales/ru/domains.json'
import type errors from './locales/ru/errors.json'
import type failures from './locales/ru/failures.json'
import type faults from './locales/ru/faults.json'
import type groups from './locales/ru/groups.json'
import type history from './locales/ru/history.json'
import type ipAccess from './locales/ru/ip-access.json'
import type me from './locales/ru/me.json'
import type monitoring from './locales/ru/monitoring.json'
import type notifications from './locales/ru/notifications.json'
import type operations from './locales/ru/operations.json'
import type profiles from './locales/ru/profiles.json'
import type providerChanges from './locales/ru/provider-changes.json'
import type reasons from './locales/ru/reasons.json'
import type records from './locales/ru/records.json'
import type redirects from './locales/ru/redirects.json'
import type registrars from './locales/ru/registrars.json'
import type reset from './locales/ru/reset.json'
import type ruleNames from './locales/ru/rule-names.json'
import type rulesets from './locales/ru/rulesets.json'
import type security from './locales/ru/security.json'
import type settings from './locales/ru/settings.json'
import type sharing from './locales/ru/sharing.json'
import type shell from './locales/ru/shell.json'
import type status from './locales/ru/status.json'
import type trackers from './locales/ru/trackers.json'
import type traffic from './locales/ru/traffic.json'
import type twoFactor from './locales/ru/two-factor.json'
import type users from './locales/ru/users.json'
import type validation from './locales/ru/validation.json'
import type welcome from './locales/ru/welcome.json'
import type zone from './locales/ru/zone.json'

/** One row per namespace: the file of its texts in every language. The Russian file defines the types of the keys. */
export interface Texts {
  'abuse-reports': typeof abuseReports
  accounts: typeof accounts
  activity: typeof activity
  addresses: typeof addresses
  alerts: typeof alerts
  'api-tokens': typeof apiTokens
  auth: typeof auth
  buying: typeof buying
  common: typeof common
  domains: typeof domains
  errors: typeof errors
  failures: typeof failures
  faults: typeof faults
  groups: typeof groups
  history: typeof history
  'ip-access': typeof ipAccess
  me: typeof me
  monitoring: typeof monitoring
  notifications: typeof notifications
  operations: typeof operations
  profiles: typeof profiles
  'provider-changes': typeof providerChanges
  reasons: typeof reasons
  records: typeof records
  redirects: typeof redirects
  registrars: typeof registrars
  reset: typeof reset
  'rule-names': typeof ruleNames
  rulesets: typeof rulesets
  security: typeof security
  settings: typeof settings
  sharing: typeof sharing
  shell: typeof shell
  status: typeof status
  trackers: typeof trackers
  traffic: typeof traffic
  'two-factor': typeof twoFactor
  users: typeof users
  validation: typeof validation
  welcome: typeof welcome
  zone: typeof zone
}
export type Namespace = keyof Texts

export const namespaces = [
  'abuse-reports',
  'accounts',
  'activity',
  'addresses',
  'alerts',
  'api-tokens',
  'auth',
  'buying',
  'common',
  'domains',
  'errors',
  'failures',
  'faults',
  'groups',
  'history',
  'ip-access',
  'me',
  'monitoring',
  'notifications',
  'operations',
  'profiles',
  'provider-changes',
  'reasons',
  'records',
  'redirects',
  'registrars',
  'reset',
  'rule-names',
  'rulesets',
  'security',
  'settings',
  'sharing',
  'shell',
  'status',
  'trackers',
  'traffic',
  'two-factor',
  'users',
  'validation',
  'welcome',
  'zone',
] as const satisfies readonly Namespace[]
