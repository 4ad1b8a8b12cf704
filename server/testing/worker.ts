import { speedUpImports } from '#server/platform/fast-imports.ts'

// A worker process of its own, for tests that kill it: `node worker.ts DATABASE_URL CLOUDFLARE_URL SECRET_KEY [operations [REGISTRAR_URLS [DEADLY_NAME]]]`.
// Before anything else is loaded: such a test spends its time on starting processes.
speedUpImports()
await import('./run-worker.ts')
