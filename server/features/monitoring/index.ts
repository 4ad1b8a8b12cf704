export { startMonitoring } from './start-monitoring.ts'
export { startProbe } from './run-probe.ts'
export { ensurePartitions as prepareHistory } from './partitions.repo.ts'
export { checkNow, muteDomains, pauseDomains } from './act-on-watching.ts'
