import { spawn } from 'node:child_process'
import { mkdir, readFile, rm } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { stripVTControlCharacters } from 'node:util'
import { z } from 'zod'

const root = fileURLToPath(new URL('../..', import.meta.url))
const reports = join(root, 'test-results')
const vitestReport = join(reports, 'vitest.json')
const e2eReport = join(reports, 'e2e.json')
const limitMs = 45 * 60_000

interface Failure {
  readonly title: string
  /** The first lines of its output. */
  readonly why: string
}

interface Count {
  readonly passed: number
  readonly failed: number
  /** Reported when they occur, and by title at the end. */
  readonly failures?: readonly Failure[]
}

interface Step {
  readonly name: string
  readonly command: readonly [program: string, ...args: string[]]
  readonly env?: Readonly<Record<string, string>>
  /** Test results, if the step has tests; otherwise the step itself is one check. */
  readonly tests?: () => Promise<Count>
}

const firstLines = (text: string) => stripVTControlCharacters(text).trim().split('\n').slice(0, 12).join('\n')

const report = async <T extends z.ZodType>(file: string, schema: T) => schema.parse(JSON.parse(await readFile(file, 'utf8')))

const vitestCount = async (): Promise<Count> => {
  const { numPassedTests, testResults } = await report(
    vitestReport,
    z.object({
      numPassedTests: z.int(),
      testResults: z.array(
        z.object({
          name: z.string(),
          status: z.string(),
          message: z.string(),
          assertionResults: z.array(z.object({ status: z.string(), fullName: z.string(), failureMessages: z.array(z.string()).nullish() })),
        }),
      ),
    }),
  )
  // A file that cannot be loaded has no tests, and counts as failed.
  const failures = testResults.flatMap(({ name, status, message, assertionResults }) => {
    const file = relative(root, name)
    const failed = assertionResults
      .filter((result) => result.status === 'failed')
      .map(({ fullName, failureMessages }) => ({ title: `${file} › ${fullName}`, why: firstLines((failureMessages ?? []).join('\n')) }))
    return failed.length === 0 && status === 'failed' ? [{ title: file, why: firstLines(message) }] : failed
  })
  return { passed: numPassedTests, failed: failures.length, failures }
}

const message = z.object({ message: z.string().optional() })

const spec = z.object({
  ok: z.boolean(),
  file: z.string(),
  title: z.string(),
  tests: z.array(z.object({ results: z.array(z.object({ errors: z.array(message) })) })),
})

interface Suite {
  readonly specs: readonly z.output<typeof spec>[]
  readonly suites?: readonly Suite[] | undefined
}

const suite: z.ZodType<Suite> = z.object({
  specs: z.array(spec),
  get suites() {
    return z.array(suite).optional()
  },
})

const describeErrors = (errors: readonly z.output<typeof message>[]) => firstLines(errors.map((error) => error.message ?? '').join('\n'))

const failedSpecs = ({ specs, suites = [] }: Suite): readonly Failure[] => [
  ...specs
    .filter(({ ok }) => !ok)
    .map(({ file, title, tests }) => ({
      title: `${file} › ${title}`,
      why: describeErrors(tests.flatMap(({ results }) => results.flatMap(({ errors }) => errors))),
    })),
  ...suites.flatMap(failedSpecs),
]

const e2eCount = async (): Promise<Count> => {
  const { suites, stats, errors } = await report(
    e2eReport,
    z.object({
      suites: z.array(suite),
      stats: z.object({ expected: z.int(), unexpected: z.int(), flaky: z.int(), skipped: z.int() }),
      errors: z.array(message),
    }),
  )
  // No test is skipped on purpose, so a skipped one was not reached.
  return {
    passed: stats.expected,
    failed: stats.unexpected + stats.flaky + stats.skipped + errors.length,
    failures: [...suites.flatMap(failedSpecs), ...errors.map((error) => ({ title: 'end to end', why: describeErrors([error]) }))],
  }
}

const node = process.execPath

/** Steps of one stage run concurrently, the stages in order. A later stage may need results of an earlier one. */
const stages: readonly (readonly Step[])[] = [
  [
    { name: 'routes', command: [node, 'client/build.ts', '--routes'] },
    { name: 'procedures', command: [node, 'api-client/build.ts', '--types'] },
  ],
  [
    { name: 'build', command: [node, 'client/build.ts'] },
    { name: 'format', command: ['oxfmt', '--check', '.'] },
    { name: 'types of the server', command: ['tsc', '-p', 'tsconfig.json'] },
    { name: 'types of the client', command: ['tsc', '-p', 'client/tsconfig.json'] },
    { name: 'types of the package', command: ['tsc', '-p', 'api-client/tsconfig.json'] },
    { name: 'types of the journeys', command: ['tsc', '-p', 'e2e/tsconfig.json'] },
    { name: 'lint', command: ['oxlint', '--type-aware', '--deny-warnings'] },
    { name: 'import rules', command: [node, 'server/testing/import-rules.ts'] },
  ],
  [
    {
      name: 'tests',
      command: ['vitest', 'run', '--reporter=dot', '--reporter=json', `--outputFile.json=${vitestReport}`],
      tests: vitestCount,
    },
  ],
  [
    {
      name: 'end to end',
      command: ['playwright', 'test', '-c', 'e2e/playwright.config.ts', '--reporter=json'],
      // Node runs TypeScript directly, faster than Playwright's own transformation.
      env: { PLAYWRIGHT_JSON_OUTPUT_FILE: e2eReport, E2E_CLIENT: 'built', PW_DISABLE_TS_ESM: '1' },
      tests: e2eCount,
    },
  ],
]

const seconds = (sinceMs: number) => `${((performance.now() - sinceMs) / 1000).toFixed(1)} s`

interface Ending {
  readonly code: number | null
  readonly output: string
}

const run = ({ command: [program, ...args], env }: Step) =>
  new Promise<Ending>((resolve) => {
    const chunks: Buffer[] = []
    const child = spawn(program, args, {
      cwd: root,
      env: { ...process.env, ...env, PATH: `${join(root, 'node_modules/.bin')}:${process.env['PATH'] ?? ''}`, FORCE_COLOR: '0' },
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: limitMs,
    })
    child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk))
    child.stderr.on('data', (chunk: Buffer) => chunks.push(chunk))
    child.on('error', (error) => resolve({ code: null, output: error.message }))
    child.on('close', (code) => resolve({ code, output: Buffer.concat(chunks).toString() }))
  })

async function perform(step: Step): Promise<Count> {
  const start = performance.now()
  const { code, output } = await run(step)
  const tests = await step.tests?.().catch(() => undefined)
  // A step that exited with an error has failed, regardless of its test results.
  const count =
    tests === undefined || (code !== 0 && tests.failed === 0)
      ? { passed: tests?.passed ?? (code === 0 ? 1 : 0), failed: code === 0 && step.tests === undefined ? 0 : 1 }
      : tests
  process.stdout.write(`${count.failed === 0 ? 'passed' : 'FAILED'}  ${step.name}  ${seconds(start)}\n`)
  for (const { title, why } of count.failures ?? []) process.stdout.write(`FAILED  ${title}\n${why}\n\n`)
  // A step without tests, or whose tests could not be counted, has only its output.
  if (count.failed > 0 && (count.failures ?? []).length === 0) process.stdout.write(`${output.trimEnd()}\n\n`)
  return count
}

const start = performance.now()
await rm(reports, { recursive: true, force: true })
await mkdir(reports, { recursive: true })
const counts: Count[] = []
for (const stage of stages) counts.push(...(await Promise.all(stage.map(perform))))

const sum = (of: 'passed' | 'failed') => counts.reduce((total, count) => total + count[of], 0)
for (const { failures = [] } of counts) for (const { title } of failures) process.stdout.write(`FAILED  ${title}\n`)
process.stdout.write(`all of it  ${seconds(start)}\n`)
process.stdout.write(`${sum('passed')} passed, ${sum('failed')} failed\n`)
process.exitCode = sum('failed') === 0 ? 0 : 1
