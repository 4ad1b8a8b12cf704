import { z } from 'zod'
import { publicProcedure, sessionProcedure, t, userProcedure } from '#server/transports/trpc/trpc.ts'
import {
  domainHealth,
  domainHealthInput,
  domainHistory,
  domainHistoryInput,
  expiriesInput,
  expiriesOutput,
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
import { listOverrides, setOverride } from './set-override.ts'
import { getPublicStatus, listStatusPages, removeStatusPage, saveStatusPage } from './status-pages/status-pages.ts'
import { updateMonitoringSettings } from './update-settings.ts'

const tags = ['Monitoring']

export const monitoringRouter = t.router({
  settings: userProcedure
    .meta({ openapi: { method: 'GET', path: '/settings/monitoring', tags, summary: 'What is watched, how, and who is told' } })
    .input(ofOwnerInput)
    .output(monitoringSettingsAnswer)
    .query(({ ctx, input }) => getMonitoringSettings(ctx, input)),
  updateSettings: userProcedure
    .meta({
      openapi: {
        method: 'PATCH',
        path: '/settings/monitoring',
        tags,
        summary: 'Change what is watched; absent is unchanged, both Telegram fields empty delete the token',
      },
    })
    .input(updateMonitoringInput)
    .output(monitoringSettingsAnswer)
    .mutation(({ ctx, input }) => updateMonitoringSettings(ctx, input)),
  overrides: userProcedure
    .meta({ openapi: { method: 'GET', path: '/settings/monitoring/groups', tags, summary: 'Groups that are watched otherwise' } })
    .input(ofOwnerInput)
    .output(listOverridesOutput)
    .query(({ ctx, input }) => listOverrides(ctx, input)),
  setOverride: userProcedure
    .meta({
      openapi: {
        method: 'PUT',
        path: '/settings/monitoring/groups/{groupId}',
        tags,
        summary: 'How a group is watched; null: as its owner’s settings say',
      },
      rest: { status: 204 },
    })
    .input(setOverrideInput)
    .output(z.void())
    .mutation(({ ctx, input }) => setOverride(ctx, input)),
  checkNow: userProcedure
    .meta({ openapi: { method: 'POST', path: '/monitoring/check', tags, summary: 'Check domains before all others' } })
    .input(checkNowInput)
    .output(affectedDomains)
    .mutation(({ ctx, input }) => checkNow(ctx, input)),
  pause: userProcedure
    .meta({
      openapi: { method: 'POST', path: '/monitoring/pause', tags, summary: 'Do not check domains for so many minutes; null: check again' },
    })
    .input(pauseDomainsInput)
    .output(affectedDomains)
    .mutation(({ ctx, input }) => pauseDomains(ctx, input)),
  mute: userProcedure
    .meta({
      openapi: { method: 'POST', path: '/monitoring/mute', tags, summary: 'Tell nothing of domains for so many minutes; null: tell again' },
    })
    .input(muteDomainsInput)
    .output(affectedDomains)
    .mutation(({ ctx, input }) => muteDomains(ctx, input)),
  overview: userProcedure
    .meta({ openapi: { method: 'GET', path: '/monitoring', tags, summary: 'What is wrong now, by cause, and how watching is' } })
    .input(monitoringOverviewInput)
    .output(monitoringOverview)
    .query(({ ctx, input }) => readOverview(ctx, input)),
  incidents: userProcedure
    .meta({ openapi: { method: 'GET', path: '/incidents', tags, summary: 'Incidents, newest first' } })
    .input(listIncidentsInput)
    .output(listIncidentsOutput)
    .query(({ ctx, input }) => listIncidents(ctx, input)),
  ofDomain: userProcedure
    .meta({ openapi: { method: 'GET', path: '/zones/{id}/health', tags, summary: 'How a domain is, from each region, and its uptime' } })
    .input(domainHealthInput)
    .output(domainHealth)
    .query(({ ctx, input }) => readDomainHealth(ctx, input)),
  history: userProcedure
    .meta({
      openapi: { method: 'GET', path: '/zones/{id}/health/history', tags, summary: 'Checks and response times by region, hour or day' },
    })
    .input(domainHistoryInput)
    .output(domainHistory)
    .query(({ ctx, input }) => readDomainHistory(ctx, input)),
  certificates: userProcedure
    .meta({ openapi: { method: 'GET', path: '/monitoring/certificates', tags, summary: 'Certificates by their ends' } })
    .input(listCertificatesInput)
    .output(listCertificatesOutput)
    .query(({ ctx, input }) => listCertificates(ctx, input)),
  expiries: userProcedure
    .meta({ openapi: { method: 'GET', path: '/monitoring/expiries', tags, summary: 'How many certificates and domains end when' } })
    .input(expiriesInput)
    .output(expiriesOutput)
    .query(({ ctx, input }) => readExpiries(ctx, input)),
  statusPages: userProcedure
    .meta({ openapi: { method: 'GET', path: '/status-pages', tags, summary: 'Public pages of groups' } })
    .input(ofOwnerInput)
    .output(listStatusPagesOutput)
    .query(({ ctx, input }) => listStatusPages(ctx, input)),
  saveStatusPage: sessionProcedure
    .input(saveStatusPageInput)
    .output(statusPageAnswer)
    .mutation(({ ctx, input }) => saveStatusPage(ctx, input)),
  removeStatusPage: userProcedure
    .meta({
      openapi: { method: 'DELETE', path: '/status-pages/{groupId}', tags, summary: 'Take a public page away' },
      rest: { status: 204 },
    })
    .input(removeStatusPageInput)
    .output(z.void())
    .mutation(({ ctx, input }) => removeStatusPage(ctx, input)),
  publicStatus: publicProcedure
    .meta({ openapi: { method: 'GET', path: '/status/{slug}', tags, summary: 'A public status page', protect: false } })
    .input(publicStatusInput)
    .output(publicStatus)
    .query(({ ctx, input }) => getPublicStatus(ctx, input.slug)),
})
