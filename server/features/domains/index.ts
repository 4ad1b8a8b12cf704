export { startDomainMaintenance } from './domain-maintenance.ts'
export { getDomain, getDomainSettings, listDomainSettings } from './get-domain.ts'
