export { startDomainMaintenance } from './domain-maintenance.ts'
