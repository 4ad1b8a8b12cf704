export { startMonitoring } from './start-monitoring.ts'
export { startProbe } from './run-probe.ts'
