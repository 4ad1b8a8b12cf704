import { afterAll, vi } from 'vitest'
import { quickenImports } from '#server/platform/quicken-imports.ts'

declare global {
  var hasQuickImports: true | undefined
}

// This runs for each file of tests, in a thread that takes one after the other and keeps what it has loaded.
if (globalThis.hasQuickImports === undefined) {
  quickenImports()
  globalThis.hasQuickImports = true
}
afterAll(() => {
  vi.unstubAllGlobals()
  vi.useRealTimers()
})
