import { globSync, readFileSync } from 'node:fs'
import { defineConfig } from 'vitest/config'
import { speedUpImports } from './server/platform/fast-imports.ts'

speedUpImports()

/** Tests of pure modules start no PostgreSQL and no server, and read no sources: hundreds of runs take minutes, in a copy without the client. */
const startsSomething =
  /#server\/(testing\/(?!fake-clock|malformed|slow-name)|simulators\/|db\/)|startProcess|node:fs|spawn\(|createServer|\.listen\(/
const pure = globSync(['server/{config,features,integrations,platform,ports,transports}/**/*.test.ts', 'shared/**/*.test.ts']).filter(
  (file) => !startsSomething.test(readFileSync(file, 'utf8')),
)
/** Others instead, with PostgreSQL: for modules that only the tests of their use cases try. */
const given = process.env['MUTATION_TESTS']

/** What `npm run mutation` runs: see docs/developing.md. */
export default defineConfig({
  test: {
    include: given === undefined ? pure : given.split(','),
    ...(given !== undefined && { globalSetup: ['server/testing/global-setup.ts'], testTimeout: 60_000, hookTimeout: 60_000 }),
    setupFiles: ['server/testing/setup.ts'],
    pool: 'threads',
    maxWorkers: 1,
    isolate: false,
  },
})
