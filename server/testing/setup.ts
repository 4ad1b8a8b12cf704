import { afterAll, vi } from 'vitest'
import { speedUpImports } from '#server/platform/fast-imports.ts'

declare global {
  var hasQuickImports: true | undefined
}

// This runs for each file of tests, in a thread that takes one after the other and keeps what it has loaded.
if (globalThis.hasQuickImports === undefined) {
  speedUpImports()
  globalThis.hasQuickImports = true
}
afterAll(() => {
  vi.unstubAllGlobals()
  vi.useRealTimers()
})
