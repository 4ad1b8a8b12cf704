export { acknowledgeIncident, acknowledgeIncidents, acknowledgeRows, muteIncident, muteIncidents, muteRows } from './mark-incidents.ts'
export { listTold } from './mark-incidents.repo.ts'
