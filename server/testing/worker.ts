import { speedUpImports } from '#server/platform/fast-imports.ts'

// A separate worker process, for tests that kill it: `node worker.ts DATABASE_URL CLOUDFLARE_URL SECRET_KEY [operations [REGISTRAR_URLS
// [DEADLY_NAME]]]`. Loaded first, because such a test spends most of its time starting processes.
speedUpImports()
await import('./run-worker.ts')
