import { speedUpImports } from '#server/platform/fast-imports.ts'

// Before anything else is loaded: a command takes no longer than that.
speedUpImports()
await import('#server/entrypoints/run-cli.ts')
