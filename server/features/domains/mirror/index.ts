export {
  attachByName,
  moveZones,
  updateFromKnownRegistry,
  updateFromRegistrar,
  updateFromRegistry,
  updateHealth,
  updateZoneRegistrar,
} from './attributes.repo.ts'
export {
  findDetail,
  hasRead,
  listDueDetails,
  postponeDetail,
  postponePart,
  replaceRecords,
  updateDueNow,
  updateSettings,
  updateWanted,
} from './details.repo.ts'
export type { DetailItem, DetailPart, RecordsRead, SettingsRead } from './details.repo.ts'
export { countLive, listUnseen, updateGone, updateZoneRead, upsertZones } from './listing.repo.ts'
export { mirroredSettings, searchTextOf, summarizeRecords, summarizeSettings, zoneRowOf } from './zone-row.policy.ts'
