import { quickenImports } from '#server/quicken-imports.ts'

// Before anything else is loaded: a command takes no longer than that.
quickenImports()
await import('#server/run-cli.ts')
