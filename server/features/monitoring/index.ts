export { startMonitoring } from './start-monitoring.ts'
export { startProbe } from './run-probe.ts'
export { checkNow, muteDomains, pauseDomains } from './act-on-watching.ts'
