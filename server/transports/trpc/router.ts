import { abuseReportsRouter } from '#server/features/abuse-reports/abuse-reports.router.ts'
import { accountsRouter } from '#server/features/accounts/accounts.router.ts'
import { activityRouter } from '#server/features/activity/activity.router.ts'
import { addressesRouter } from '#server/features/addresses/addresses.router.ts'
import { alertsRouter } from '#server/features/alerts/alerts.router.ts'
import { apiTokensRouter } from '#server/features/api-tokens/api-tokens.router.ts'
import { authRouter } from '#server/features/auth/auth.router.ts'
import { buyingRouter } from '#server/features/registrars/buying/buying.router.ts'
import { domainsRouter } from '#server/features/domains/domains.router.ts'
import { groupsRouter } from '#server/features/groups/groups.router.ts'
import { historyRouter } from '#server/features/domains/history/history.router.ts'
import { ipAccessRouter } from '#server/features/domains/ip-access/ip-access.router.ts'
import { liveRouter } from '#server/features/live/live.router.ts'
import { meRouter } from '#server/features/me/me.router.ts'
import { monitoringRouter } from '#server/features/monitoring/monitoring.router.ts'
import { notificationsRouter } from '#server/features/notifications/notifications.router.ts'
import { operationsRouter } from '#server/features/operations/operations.router.ts'
import { originCertificatesRouter } from '#server/features/domains/origin-certificates/origin-certificates.router.ts'
import { profilesRouter } from '#server/features/profiles/profiles.router.ts'
import { trafficRouter } from '#server/features/domains/traffic/traffic.router.ts'
import { providerChangesRouter } from '#server/features/provider-changes/provider-changes.router.ts'
import { recordsRouter } from '#server/features/domains/records/records.router.ts'
import { redirectsRouter } from '#server/features/redirects/redirects.router.ts'
import { registrarsRouter } from '#server/features/registrars/registrars.router.ts'
import { registryRouter } from '#server/features/registrars/registry/registry.router.ts'
import { settingsRouter } from '#server/features/settings/settings.router.ts'
import { sharingRouter } from '#server/features/sharing/sharing.router.ts'
import { trackersRouter } from '#server/features/trackers/trackers.router.ts'
import { twoFactorRouter } from '#server/features/two-factor/two-factor.router.ts'
import { usersRouter } from '#server/features/users/users.router.ts'
import { zoneCreationRouter } from '#server/features/domains/creation/zone-creation.router.ts'
import { rulesetsRouter } from '#server/features/domains/rulesets/rulesets.router.ts'
import { zoneSettingsRouter } from '#server/features/domains/settings/zone-settings.router.ts'
import { t } from '#server/transports/trpc/trpc.ts'

export const appRouter = t.router({
  abuseReports: abuseReportsRouter,
  accounts: accountsRouter,
  activity: activityRouter,
  addresses: addressesRouter,
  alerts: alertsRouter,
  apiTokens: apiTokensRouter,
  auth: authRouter,
  buying: buyingRouter,
  domains: domainsRouter,
  groups: groupsRouter,
  history: historyRouter,
  ipAccess: ipAccessRouter,
  live: liveRouter,
  me: meRouter,
  monitoring: monitoringRouter,
  notifications: notificationsRouter,
  operations: operationsRouter,
  originCertificates: originCertificatesRouter,
  profiles: profilesRouter,
  providerChanges: providerChangesRouter,
  records: recordsRouter,
  redirects: redirectsRouter,
  registrars: registrarsRouter,
  registry: registryRouter,
  settings: settingsRouter,
  sharing: sharingRouter,
  trackers: trackersRouter,
  traffic: trafficRouter,
  twoFactor: twoFactorRouter,
  users: usersRouter,
  zoneCreation: zoneCreationRouter,
  rulesets: rulesetsRouter,
  zoneSettings: zoneSettingsRouter,
})

export type AppRouter = typeof appRouter
