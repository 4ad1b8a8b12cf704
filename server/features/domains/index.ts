export { startDomainMaintenance } from './domain-maintenance.ts'
export { lookupDomains } from './lookup-domains.ts'
export { selectMatching } from './select-domains.ts'
export { getDomain, getDomainSettings, listDomainSettings } from './get-domain.ts'
