export { planRevert } from './plan-revert.ts'
export { carryOut, recordEarlierIpReverts } from './revert.ts'
export { listBatch } from './history.repo.ts'
export type { BatchEntry } from './history.repo.ts'
