export { isMassDisappearance, pickSample } from './disappearance.policy.ts'
export { keepHeld, listMissingNames, takeHeld } from './disappearances.repo.ts'
export { holdDisappearance } from './hold-disappearance.ts'
