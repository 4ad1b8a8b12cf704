import { speedUpImports } from '#server/platform/fast-imports.ts'

// Loaded first, because it speeds up loading everything else.
speedUpImports()
await import('#server/entrypoints/run-cli.ts')
