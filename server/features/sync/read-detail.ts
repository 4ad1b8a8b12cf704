import { listedSettings, mirroredSettings, storedSetting, summarizeRecords } from '#server/features/domains/mirror/index.ts'
import type { DetailItem } from '#server/features/domains/mirror/index.ts'
import type { CallOptions, HostConnection, HostedSetting } from '#server/ports/dns-host.ts'
import { AppError } from '#shared/errors/app-error.ts'
import type { DetailRead } from './detail-writer.ts'

const passedOver = new Set(['provider_rejected', 'provider_not_found'])
/** Settings with a permission of their own, which a credential may lack. */
const notPermitted = new Set(['provider_auth', 'provider_forbidden'])

/** Settings at an endpoint of their own, or none if the zone or the credential does not have them. */
async function readOwnEndpoint(reading: Promise<readonly HostedSetting[]>): Promise<readonly HostedSetting[]> {
  try {
    return await reading
  } catch (error) {
    if (error instanceof AppError && (passedOver.has(error.code) || notPermitted.has(error.code))) return []
    throw error
  }
}

/** Reads the records or the settings of one zone from the provider. */
export async function readDetail(connection: HostConnection, item: DetailItem, call: CallOptions): Promise<DetailRead> {
  if (item.part === 'records') {
    const records = await connection.listRecords(item.providerZoneId, call)
    return { ...item, part: 'records', records, summary: summarizeRecords(records) }
  }
  const settings: HostedSetting[] = []
  let passed: unknown = null
  for (const id of mirroredSettings) {
    try {
      settings.push(await connection.getSetting(item.providerZoneId, id, call))
    } catch (error) {
      // A plan may lack single settings, but a zone without any is an error.
      if (!(error instanceof AppError) || !passedOver.has(error.code)) throw error
      passed = error
    }
  }
  if (settings.length === 0) throw passed
  // Last, so that a revoked credential is noticed by the settings that every credential may read.
  settings.push(...(await readOwnEndpoint(connection.listBotSettings(item.providerZoneId, call))))
  settings.push(...(await readOwnEndpoint(connection.getSetting(item.providerZoneId, 'dnssec', call).then((setting) => [setting]))))
  const values = Object.fromEntries(settings.map((setting) => [setting.id, storedSetting(setting)]))
  return { ...item, part: 'settings', listed: listedSettings(settings), values }
}
