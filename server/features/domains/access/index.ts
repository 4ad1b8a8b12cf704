export { inTurn } from './in-turn.ts'
export { openZone, requireZone } from './open-zone.ts'
export type { OpenZone } from './open-zone.ts'
