import { quickenImports } from '#server/platform/quicken-imports.ts'

// A worker process of its own, for tests that kill it: `node worker.ts DATABASE_URL CLOUDFLARE_URL SECRET_KEY [operations [REGISTRAR_URLS [DEADLY_NAME]]]`.
// Before anything else is loaded: such a test spends its time on starting processes.
quickenImports()
await import('./run-worker.ts')
