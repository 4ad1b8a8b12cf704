import { z } from 'zod'
import {
  checkNameServersInput,
  checkNameServersOutput,
  dsTruthAnswer,
  nameServerTruth,
  pauseZoneInput,
  purgeCacheInput,
  refreshZoneOutput,
  removeZoneInput,
  setDevelopmentModeInput,
  setGroupInput,
  settingsAnswer,
  settingsBatchInput,
  settingsBatchOutput,
  setUniversalInput,
  sslAnswer,
  sslInput,
  trafficOutput,
  updateSettingsInput,
} from '#shared/features/domains/settings/schema.ts'
import { domainAnswer, domainIdInput } from '#shared/features/domains/schema.ts'
import { t, userProcedure } from '#server/transports/trpc/trpc.ts'
import { checkDs } from './check-ds.ts'
import { checkManyNameServers, checkNameServers } from './check-name-servers.ts'
import { getSsl, setUniversal } from './get-ssl.ts'
import { getTraffic } from '../traffic/get-traffic.ts'
import { listSettings } from './list-settings.ts'
import { pauseZone } from './pause-zone.ts'
import { purgeCache } from './purge-cache.ts'
import { refreshZone } from './refresh-zone.ts'
import { removeZone } from './remove-zone.ts'
import { setDevelopmentMode, updateSettings } from './update-settings.ts'
import { setGroup } from './set-group.ts'

const tags = ['Domains']

export const zoneSettingsRouter = t.router({
  /** From the mirror; a mutation because of its size. */
  batch: userProcedure
    .meta({
      openapi: {
        method: 'POST',
        path: '/zones/settings/batch',
        tags,
        summary: 'Get stored settings of several domains',
        description: 'Returns the settings as of the last sync.',
      },
    })
    .input(settingsBatchInput)
    .output(settingsBatchOutput)
    .mutation(({ ctx, input }) => listSettings(ctx, input)),
  update: userProcedure
    .meta({
      openapi: {
        method: 'PATCH',
        path: '/zones/{id}/settings',
        tags,
        summary: 'Update the settings of a domain',
        description: 'Only the given settings are changed.',
      },
    })
    .input(updateSettingsInput)
    .output(settingsAnswer)
    .mutation(({ ctx, input }) => updateSettings(ctx, input)),
  setDevelopmentMode: userProcedure
    .meta({
      openapi: {
        method: 'PATCH',
        path: '/zones/{id}/development-mode',
        tags,
        summary: 'Turn development mode on or off',
        description: 'Development mode bypasses the cache and turns off after three hours.',
      },
    })
    .input(setDevelopmentModeInput)
    .output(settingsAnswer)
    .mutation(({ ctx, input }) => setDevelopmentMode(ctx, input)),
  ssl: userProcedure
    .meta({
      openapi: {
        method: 'GET',
        path: '/zones/{id}/ssl',
        tags,
        summary: 'Get SSL/TLS certificates of a domain',
        description: 'Returns the certificates as of the last sync; with `fresh=true`, reads them from Cloudflare first.',
      },
    })
    .input(sslInput)
    .output(sslAnswer)
    .query(({ ctx, input }) => getSsl(ctx, input)),
  setUniversal: userProcedure
    .meta({ openapi: { method: 'PATCH', path: '/zones/{id}/ssl/universal', tags, summary: 'Turn Universal SSL on or off' } })
    .input(setUniversalInput)
    .output(sslAnswer)
    .mutation(({ ctx, input }) => setUniversal(ctx, input)),
  /** Reads the zone, its records, settings and certificates from the provider now. */
  refresh: userProcedure
    .meta({ openapi: { method: 'POST', path: '/zones/{id}/refresh', tags, summary: 'Refresh a domain from Cloudflare' } })
    .input(domainIdInput)
    .output(refreshZoneOutput)
    .mutation(({ ctx, input }) => refreshZone(ctx, input.id)),
  purgeCache: userProcedure
    .meta({
      openapi: {
        method: 'POST',
        path: '/zones/{id}/purge-cache',
        tags,
        summary: 'Purge the cache of a domain',
        description: 'Purges everything or the given URLs.',
      },
    })
    .input(purgeCacheInput)
    .output(z.object({ success: z.literal(true) }))
    .mutation(({ ctx, input }) => purgeCache(ctx, input)),
  pause: userProcedure
    .meta({ openapi: { method: 'PATCH', path: '/zones/{id}/paused', tags, summary: 'Pause or resume Cloudflare for a domain' } })
    .input(pauseZoneInput)
    .output(domainAnswer)
    .mutation(({ ctx, input }) => pauseZone(ctx, input)),
  setGroup: userProcedure
    .meta({
      openapi: {
        method: 'PATCH',
        path: '/zones/{id}/group',
        tags,
        summary: 'Assign a domain to a group or remove it from its group',
        description: '`null` removes the domain from its group.',
      },
    })
    .input(setGroupInput)
    .output(domainAnswer)
    .mutation(({ ctx, input }) => setGroup(ctx, input)),
  remove: userProcedure
    .meta({
      openapi: { method: 'DELETE', path: '/zones/{id}', tags, summary: 'Delete a domain from Cloudflare' },
      rest: { status: 204 },
    })
    .input(removeZoneInput)
    .output(z.void())
    .mutation(({ ctx, input }) => removeZone(ctx, input)),
  traffic: userProcedure
    .input(domainIdInput)
    .output(trafficOutput)
    .query(({ ctx, input }) => getTraffic(ctx, input.id)),
  nameServers: userProcedure
    .input(domainIdInput)
    .output(z.object({ nameServers: nameServerTruth }))
    .query(({ ctx, input }) => checkNameServers(ctx, input.id)),
  ds: userProcedure
    .meta({
      openapi: {
        method: 'GET',
        path: '/zones/{id}/dnssec/ds',
        tags,
        summary: 'Look up DS records of a domain in DNS',
        description:
          'Returns the DS records at the parent zone, and whether the one that Cloudflare requires is among them. `unknown` if DNS does not answer.',
      },
    })
    .input(domainIdInput)
    .output(dsTruthAnswer)
    .query(({ ctx, input }) => checkDs(ctx, input.id)),
  /** Reads public DNS and changes nothing; a mutation because of its size. */
  checkNameServers: userProcedure
    .meta({ openapi: { method: 'POST', path: '/zones/name-servers/check', tags, summary: 'Look up name servers of domains in DNS' } })
    .input(checkNameServersInput)
    .output(checkNameServersOutput)
    .mutation(async ({ ctx, input }) => ({ results: await checkManyNameServers(ctx, input.ids) })),
})
