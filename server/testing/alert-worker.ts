import { quickenImports } from '#server/platform/quicken-imports.ts'

// A process that only tells news, for what kills it: `node alert-worker.ts DATABASE_URL TELEGRAM_URL SECRET_KEY`.
// Before anything else is loaded: such a run spends its time on starting processes.
quickenImports()
await import('./run-alert-worker.ts')
