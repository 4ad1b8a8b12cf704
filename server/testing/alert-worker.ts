import { speedUpImports } from '#server/platform/fast-imports.ts'

// A process that only sends alerts, for tests that kill it: `node alert-worker.ts DATABASE_URL TELEGRAM_URL SECRET_KEY`. Loaded first,
// because such a test spends most of its time starting processes.
speedUpImports()
await import('./run-alert-worker.ts')
