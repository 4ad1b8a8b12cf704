export { addZone } from './add-zone.ts'
export { creationLimit, distribute } from './distribute.policy.ts'
export { getStandings } from './list-standings.ts'
export { listGroups } from './zone-creation.repo.ts'
