export { startMonitoring } from './start-monitoring.ts'
export { startProbe } from './checks/run-probe.ts'
export type { RunningProbe } from './checks/run-probe.ts'
export { ensurePartitions as prepareHistory } from './history/partitions.repo.ts'
export { checkNow, muteDomains, pauseDomains } from './act-on-watching.ts'
export { listDownOrigins, listUnseenOrigins } from './incidents/down-origins.repo.ts'
export {
  acknowledgeIncident,
  acknowledgeIncidents,
  acknowledgeRows,
  muteIncident,
  muteIncidents,
  muteRows,
} from './incidents/mark-incidents.ts'
export {
  groupMoreDelayMs,
  holdOpens,
  insertPastIncidents,
  releaseHeld,
  takeCloses,
  takeOpens,
} from './incidents/notified-incidents.repo.ts'
export type { PastIncident } from './incidents/notified-incidents.repo.ts'
export { listCausesBeingChecked } from './incidents/check-sharers.ts'
export { listNotifiedIncidents } from './incidents/mark-incidents.repo.ts'
export { listOutages } from './incidents/list-outages.ts'
export { findChangeBefore } from './incidents/find-change-before.ts'
export { describeCauses, mostNames } from './incidents/cause-names.repo.ts'
export type { CauseNaming } from './incidents/cause-names.repo.ts'
