import { z } from 'zod'
import {
  checkNameServersInput,
  checkNameServersOutput,
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
import { checkManyNameServers, checkNameServers } from './check-name-servers.ts'
import { getSsl, setUniversal } from './get-ssl.ts'
import { getTraffic } from './get-traffic.ts'
import { listSettings } from './list-settings.ts'
import { pauseZone } from './pause-zone.ts'
import { purgeCache } from './purge-cache.ts'
import { refreshZone } from './refresh-zone.ts'
import { removeZone } from './remove-zone.ts'
import { setDevelopmentMode, updateSettings } from './update-settings.ts'
import { setGroup } from './set-group.ts'

const tags = ['Domains']

export const zoneSettingsRouter = t.router({
  /** From the mirror; a mutation for its size. */
  batch: userProcedure
    .meta({ openapi: { method: 'POST', path: '/zones/settings/batch', tags, summary: 'Settings of many domains as last read' } })
    .input(settingsBatchInput)
    .output(settingsBatchOutput)
    .mutation(({ ctx, input }) => listSettings(ctx, input)),
  update: userProcedure
    .meta({ openapi: { method: 'PATCH', path: '/zones/{id}/settings', tags, summary: "Change a domain's settings, any of them" } })
    .input(updateSettingsInput)
    .output(settingsAnswer)
    .mutation(({ ctx, input }) => updateSettings(ctx, input)),
  setDevelopmentMode: userProcedure
    .meta({ openapi: { method: 'PATCH', path: '/zones/{id}/development-mode', tags, summary: 'Go past the cache for three hours' } })
    .input(setDevelopmentModeInput)
    .output(settingsAnswer)
    .mutation(({ ctx, input }) => setDevelopmentMode(ctx, input)),
  ssl: userProcedure
    .meta({ openapi: { method: 'GET', path: '/zones/{id}/ssl', tags, summary: "A domain's certificates as last read, or read now" } })
    .input(sslInput)
    .output(sslAnswer)
    .query(({ ctx, input }) => getSsl(ctx, input)),
  setUniversal: userProcedure
    .meta({ openapi: { method: 'PATCH', path: '/zones/{id}/ssl/universal', tags, summary: 'Switch universal SSL' } })
    .input(setUniversalInput)
    .output(sslAnswer)
    .mutation(({ ctx, input }) => setUniversal(ctx, input)),
  /** Reads the zone, its records, settings and certificates from the provider now. */
  refresh: userProcedure
    .meta({ openapi: { method: 'POST', path: '/zones/{id}/refresh', tags, summary: 'Read all of a domain from its provider now' } })
    .input(domainIdInput)
    .output(refreshZoneOutput)
    .mutation(({ ctx, input }) => refreshZone(ctx, input.id)),
  purgeCache: userProcedure
    .meta({
      openapi: { method: 'POST', path: '/zones/{id}/purge-cache', tags, summary: 'Clear the whole cache of a domain, or single addresses' },
    })
    .input(purgeCacheInput)
    .output(z.object({ success: z.literal(true) }))
    .mutation(({ ctx, input }) => purgeCache(ctx, input)),
  pause: userProcedure
    .meta({ openapi: { method: 'PATCH', path: '/zones/{id}/paused', tags, summary: 'Pause Cloudflare for a domain, or go on' } })
    .input(pauseZoneInput)
    .output(domainAnswer)
    .mutation(({ ctx, input }) => pauseZone(ctx, input)),
  setGroup: userProcedure
    .meta({ openapi: { method: 'PATCH', path: '/zones/{id}/group', tags, summary: 'Put a domain into a group; null takes it out' } })
    .input(setGroupInput)
    .output(domainAnswer)
    .mutation(({ ctx, input }) => setGroup(ctx, input)),
  remove: userProcedure
    .meta({
      openapi: { method: 'DELETE', path: '/zones/{id}', tags, summary: 'Delete a domain, at its provider too' },
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
  /** Reads the world's DNS and changes nothing; a mutation for its size. */
  checkNameServers: userProcedure
    .meta({ openapi: { method: 'POST', path: '/zones/name-servers/check', tags, summary: 'Where the world’s DNS leads for many domains' } })
    .input(checkNameServersInput)
    .output(checkNameServersOutput)
    .mutation(async ({ ctx, input }) => ({ results: await checkManyNameServers(ctx, input.ids) })),
})
