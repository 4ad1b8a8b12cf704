export { planRevert } from './plan-revert.ts'
export { carryOut, recordEarlierIpReverts } from './revert.ts'
export { listBatch, listFirstOutside } from './history.repo.ts'
export type { BatchEntry, OutsideChanges } from './history.repo.ts'
