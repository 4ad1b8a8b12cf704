export { acknowledgeIncident, acknowledgeIncidents, acknowledgeRows, muteIncident, muteIncidents, muteRows } from './mark-incidents.ts'
export { gatherMoreMs, holdOpens, insertPastIncidents, releaseHeld, takeCloses, takeOpens } from './notified-incidents.repo.ts'
export type { PastIncident } from './notified-incidents.repo.ts'
export { listTold } from './mark-incidents.repo.ts'
