import { z } from 'zod'
import { publicProcedure, sessionProcedure, t, userProcedure } from '#server/transports/trpc/trpc.ts'
import {
  domainHealth,
  domainHealthInput,
  domainHistory,
  domainHistoryInput,
  expiriesInput,
  expiriesOutput,
  incidentDetails,
  incidentInput,
  listCertificatesInput,
  listCertificatesOutput,
  listIncidentsInput,
  listIncidentsOutput,
  monitoringOverview,
  monitoringOverviewInput,
  publicStatus,
  publicStatusInput,
} from '#shared/features/monitoring/reports.ts'
import {
  affectedDomains,
  checkNowInput,
  listOverridesOutput,
  listStatusPagesOutput,
  monitoringSettingsAnswer,
  muteDomainsInput,
  ofOwnerInput,
  pauseDomainsInput,
  removeStatusPageInput,
  saveStatusPageInput,
  setOverrideInput,
  statusPageAnswer,
  updateMonitoringInput,
} from '#shared/features/monitoring/settings.ts'
import { checkNow, muteDomains, pauseDomains } from './act-on-watching.ts'
import { getMonitoringSettings } from './get-settings.ts'
import { listCertificates, readExpiries } from './health/list-certificates.ts'
import { readDomainHealth, readDomainHistory } from './health/read-domain-health.ts'
import { listIncidents, readOverview } from './health/read-overview.ts'
import { readIncident } from './incidents/read-incident.ts'
import { listOverrides, setOverride } from './set-override.ts'
import { getPublicStatus, listStatusPages, removeStatusPage, saveStatusPage } from './status-pages/status-pages.ts'
import { updateMonitoringSettings } from './update-settings.ts'

const tags = ['Monitoring']

export const monitoringRouter = t.router({
  settings: userProcedure
    .meta({ openapi: { method: 'GET', path: '/settings/monitoring', tags, summary: 'Get monitoring settings' } })
    .input(ofOwnerInput)
    .output(monitoringSettingsAnswer)
    .query(({ ctx, input }) => getMonitoringSettings(ctx, input)),
  updateSettings: userProcedure
    .meta({
      openapi: {
        method: 'PATCH',
        path: '/settings/monitoring',
        tags,
        summary: 'Update monitoring settings',
        description: 'Absent fields stay unchanged. Empty Telegram fields delete the bot token.',
      },
    })
    .input(updateMonitoringInput)
    .output(monitoringSettingsAnswer)
    .mutation(({ ctx, input }) => updateMonitoringSettings(ctx, input)),
  overrides: userProcedure
    .meta({
      openapi: { method: 'GET', path: '/settings/monitoring/groups', tags, summary: 'List groups with their own monitoring settings' },
    })
    .input(ofOwnerInput)
    .output(listOverridesOutput)
    .query(({ ctx, input }) => listOverrides(ctx, input)),
  setOverride: userProcedure
    .meta({
      openapi: {
        method: 'PUT',
        path: '/settings/monitoring/groups/{groupId}',
        tags,
        summary: 'Set or clear the monitoring settings of a group',
        description: '`null` removes the override, and the settings of the owner apply.',
      },
      rest: { status: 204 },
    })
    .input(setOverrideInput)
    .output(z.void())
    .mutation(({ ctx, input }) => setOverride(ctx, input)),
  checkNow: userProcedure
    .meta({
      openapi: {
        method: 'POST',
        path: '/monitoring/check',
        tags,
        summary: 'Check domains immediately',
        description: 'The domains move to the front of the check queue.',
      },
    })
    .input(checkNowInput)
    .output(affectedDomains)
    .mutation(({ ctx, input }) => checkNow(ctx, input)),
  pause: userProcedure
    .meta({
      openapi: {
        method: 'POST',
        path: '/monitoring/pause',
        tags,
        summary: 'Pause or resume checks of domains',
        description: 'Pauses checks for the given number of minutes; null resumes them.',
      },
    })
    .input(pauseDomainsInput)
    .output(affectedDomains)
    .mutation(({ ctx, input }) => pauseDomains(ctx, input)),
  mute: userProcedure
    .meta({
      openapi: {
        method: 'POST',
        path: '/monitoring/mute',
        tags,
        summary: 'Mute or unmute alerts for domains',
        description: 'Mutes alerts for the given number of minutes; null unmutes them.',
      },
    })
    .input(muteDomainsInput)
    .output(affectedDomains)
    .mutation(({ ctx, input }) => muteDomains(ctx, input)),
  overview: userProcedure
    .meta({
      openapi: {
        method: 'GET',
        path: '/monitoring',
        tags,
        summary: 'Get monitoring overview',
        description: 'Returns open incidents grouped by cause and the state of the monitoring itself.',
      },
    })
    .input(monitoringOverviewInput)
    .output(monitoringOverview)
    .query(({ ctx, input }) => readOverview(ctx, input)),
  incidents: userProcedure
    .meta({ openapi: { method: 'GET', path: '/incidents', tags, summary: 'List incidents', description: 'Newest first.' } })
    .input(listIncidentsInput)
    .output(listIncidentsOutput)
    .query(({ ctx, input }) => listIncidents(ctx, input)),
  incident: userProcedure
    .meta({
      openapi: {
        method: 'GET',
        path: '/incidents/{id}',
        tags,
        summary: 'Get an incident',
        description: 'Returns its timeline, the domains affected by the same cause, and what changed in the hour before.',
      },
    })
    .input(incidentInput)
    .output(incidentDetails)
    .query(({ ctx, input }) => readIncident(ctx, input)),
  ofDomain: userProcedure
    .meta({
      openapi: {
        method: 'GET',
        path: '/zones/{id}/health',
        tags,
        summary: 'Get the health of a domain',
        description: 'Returns the result of each region and the uptime.',
      },
    })
    .input(domainHealthInput)
    .output(domainHealth)
    .query(({ ctx, input }) => readDomainHealth(ctx, input)),
  history: userProcedure
    .meta({
      openapi: {
        method: 'GET',
        path: '/zones/{id}/health/history',
        tags,
        summary: 'Get the health history of a domain',
        description: 'Returns checks and response times by region and by hour or day.',
      },
    })
    .input(domainHistoryInput)
    .output(domainHistory)
    .query(({ ctx, input }) => readDomainHistory(ctx, input)),
  certificates: userProcedure
    .meta({ openapi: { method: 'GET', path: '/monitoring/certificates', tags, summary: 'List certificates by expiration date' } })
    .input(listCertificatesInput)
    .output(listCertificatesOutput)
    .query(({ ctx, input }) => listCertificates(ctx, input)),
  expiries: userProcedure
    .meta({ openapi: { method: 'GET', path: '/monitoring/expiries', tags, summary: 'Count expiring certificates and domains' } })
    .input(expiriesInput)
    .output(expiriesOutput)
    .query(({ ctx, input }) => readExpiries(ctx, input)),
  statusPages: userProcedure
    .meta({ openapi: { method: 'GET', path: '/status-pages', tags, summary: 'List status pages' } })
    .input(ofOwnerInput)
    .output(listStatusPagesOutput)
    .query(({ ctx, input }) => listStatusPages(ctx, input)),
  saveStatusPage: sessionProcedure
    .input(saveStatusPageInput)
    .output(statusPageAnswer)
    .mutation(({ ctx, input }) => saveStatusPage(ctx, input)),
  removeStatusPage: userProcedure
    .meta({
      openapi: { method: 'DELETE', path: '/status-pages/{groupId}', tags, summary: 'Delete a status page' },
      rest: { status: 204 },
    })
    .input(removeStatusPageInput)
    .output(z.void())
    .mutation(({ ctx, input }) => removeStatusPage(ctx, input)),
  publicStatus: publicProcedure
    .meta({ openapi: { method: 'GET', path: '/status/{slug}', tags, summary: 'Get a public status page', protect: false } })
    .input(publicStatusInput)
    .output(publicStatus)
    .query(({ ctx, input }) => getPublicStatus(ctx, input.slug)),
})
