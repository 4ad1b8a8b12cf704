import { quickenImports } from '#server/quicken-imports.ts'

quickenImports()
