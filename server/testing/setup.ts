import { afterAll, vi } from 'vitest'
import { speedUpImports } from '#server/platform/fast-imports.ts'

declare global {
  var hasQuickImports: true | undefined
}

// Runs for each test file, in a thread that runs several files and keeps loaded modules.
if (globalThis.hasQuickImports === undefined) {
  speedUpImports()
  globalThis.hasQuickImports = true
}
afterAll(() => {
  vi.unstubAllGlobals()
  vi.useRealTimers()
})
