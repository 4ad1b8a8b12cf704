import { speedUpImports } from '#server/platform/fast-imports.ts'

// A probe in a process of its own, for tests that kill it: `node probe-worker.ts DATABASE_URL DNS_SERVER HTTP_PORT HTTPS_PORT ROOT_PEM REGION LEASE_MS`.
// Before anything else is loaded: such a test spends its time on starting processes.
speedUpImports()
await import('./run-probe-worker.ts')
