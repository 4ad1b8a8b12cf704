import { z } from 'zod'
import {
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
} from '#shared/features/zone-settings/schema.ts'
import { domainAnswer, domainIdInput } from '#shared/features/domains/schema.ts'
import { AppError } from '#shared/errors/app-error.ts'
import { t, userProcedure } from '#server/transports/trpc/trpc.ts'

const soon = (): never => {
  throw new AppError('internal')
}

export const zoneSettingsRouter = t.router({
  update: userProcedure.input(updateSettingsInput).output(settingsAnswer).mutation(soon),
  setDevelopmentMode: userProcedure.input(setDevelopmentModeInput).output(settingsAnswer).mutation(soon),
  ssl: userProcedure.input(sslInput).output(sslAnswer).query(soon),
  setUniversal: userProcedure.input(setUniversalInput).output(sslAnswer).mutation(soon),
  batch: userProcedure.input(settingsBatchInput).output(settingsBatchOutput).mutation(soon),
  /** Reads the zone, its records, settings and certificates from the provider now. */
  refresh: userProcedure.input(domainIdInput).output(refreshZoneOutput).mutation(soon),
  purgeCache: userProcedure
    .input(purgeCacheInput)
    .output(z.object({ success: z.literal(true) }))
    .mutation(soon),
  pause: userProcedure.input(pauseZoneInput).output(domainAnswer).mutation(soon),
  setGroup: userProcedure.input(setGroupInput).output(domainAnswer).mutation(soon),
  remove: userProcedure.input(removeZoneInput).output(z.void()).mutation(soon),
  traffic: userProcedure.input(domainIdInput).output(trafficOutput).query(soon),
  nameServers: userProcedure
    .input(domainIdInput)
    .output(z.object({ nameServers: nameServerTruth }))
    .query(soon),
})
