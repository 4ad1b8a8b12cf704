export { syncDueRegistrars } from './sync-names.ts'
