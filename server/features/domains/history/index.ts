export { planRevert } from './plan-revert.ts'
export { carryOut } from './revert.ts'
export { listBatch } from './history.repo.ts'
