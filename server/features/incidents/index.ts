export { acknowledgeIncident, muteIncident } from './act-on-incidents.ts'
