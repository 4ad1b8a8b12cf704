import { speedUpImports } from '#server/platform/fast-imports.ts'

// A process that only reports change events, for what kills it: `node alert-worker.ts DATABASE_URL TELEGRAM_URL SECRET_KEY`.
// Before anything else is loaded: such a run spends its time on starting processes.
speedUpImports()
await import('./run-alert-worker.ts')
