export { inTurn } from './in-turn.ts'
export { openZone } from './open-zone.ts'
export type { OpenZone } from './open-zone.ts'
