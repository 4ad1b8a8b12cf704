import { quickenImports } from '#server/platform/quicken-imports.ts'

// Before anything else is loaded: a command takes no longer than that.
quickenImports()
await import('#server/entrypoints/run-cli.ts')
