export { startDomainMaintenance } from './list/shared-counts.ts'
export { domainReach, selectMatching } from './list/select-domains.ts'
export { lookupDomains } from './list/lookup-domains.ts'
export { getDomain, getChangedDomain, getDomainSettings, listDomainSettings } from './get-domain.ts'
