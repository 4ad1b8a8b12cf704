import { defineConfig } from 'vitest/config'
import { BaseSequencer } from 'vitest/node'
import type { TestSpecification } from 'vitest/node'
import { speedUpImports } from './server/platform/fast-imports.ts'

speedUpImports()

/** They take long, however short they are, and mostly wait for processes that they start: begun last, they would end last. */
const patient =
  /\/(main|demo|cli|malformed|backup|upgrade-matrix|schedule|killed-\w+|faulty-\w+|died-[\w-]+|rolling-restart|container-steps)\.test\.ts$/

class PatientFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    return sorted.toSorted((one, other) => Number(patient.test(other.moduleId)) - Number(patient.test(one.moduleId)))
  }
}

export default defineConfig({
  test: {
    include: ['server/**/*.test.ts', 'shared/**/*.test.ts', 'client/**/*.test.{ts,tsx}', 'bench/**/*.test.ts', 'api-client/*.test.ts'],
    exclude: ['**/node_modules/**', '**/dist/**'],
    globalSetup: ['server/testing/global-setup.ts'],
    setupFiles: ['server/testing/setup.ts'],
    pool: 'threads',
    maxWorkers: 3,
    // To load everything again for each file costs a second of both cores. The server's modules remember nothing; a test of what a module of
    // the client finds when it is loaded says `vi.resetModules()` first.
    isolate: false,
    sequence: { sequencer: PatientFirst },
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 60_000, interval: 20 } },
  },
})
