import { speedUpImports } from '#server/platform/fast-imports.ts'

// A probe in a separate process, for tests that kill it: `node probe-worker.ts DATABASE_URL DNS_SERVER HTTP_PORT HTTPS_PORT ROOT_PEM REGION
// LEASE_MS`. Loaded first, because such a test spends most of its time starting processes.
speedUpImports()
await import('./run-probe-worker.ts')
