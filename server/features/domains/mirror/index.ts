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
  addRulesDue,
  findDetail,
  hasRead,
  listDueDetails,
  postponeDetail,
  postponePart,
  replaceRecords,
  updateChangedDue,
  updateDueNow,
  updateRulesDue,
  updateWanted,
} from './details.repo.ts'
export type { DetailItem, DetailPart, DueItem, RecordsRead } from './details.repo.ts'
export { countLive, listUnseen, updateGone, updateZoneRead, upsertZones } from './listing.repo.ts'
export {
  findMissingRecords,
  keepMissingRecords,
  listMissingByZone,
  listMissingRecordDomains,
  listUndecided,
  lockMissingRecords,
  removeMissingRecords,
} from './missing-records.repo.ts'
export type { MissingRecords } from './missing-records.repo.ts'
export { updateSettings } from './settings.repo.ts'
export type { SettingsRead } from './settings.repo.ts'
export { listedSettings, mirroredSettings, storedSetting, summarizeRecords, zoneRowOf } from './zone-row.policy.ts'
