export { startRegistryReading } from './start-registry-reading.ts'
