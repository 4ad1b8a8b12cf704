export { syncDueRegistrars } from './sync-names.ts'
export { startRegistrarSync } from './start-registrar-sync.ts'
