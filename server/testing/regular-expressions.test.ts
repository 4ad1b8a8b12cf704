import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { readRegularExpressions } from '#server/testing/read-regular-expressions.ts'

/** The native checker, not available on every machine, is five times as fast as the JavaScript one. */
const hasNative = (() => {
  try {
    import.meta.resolve(`recheck-${process.platform === 'darwin' ? 'macos' : process.platform}-${process.arch}/package.json`)
    return true
  } catch {
    return false
  }
})()
// Set when the package is loaded.
process.env['RECHECK_BACKEND'] = hasNative ? 'native' : 'pure'
const { check } = await import('recheck')

const root = fileURLToPath(new URL('../..', import.meta.url))
/** They parse only text written by the tests themselves. */
const tests = /\.(test|spec)\.tsx?$|^(e2e|bench|server\/testing)\/|^vitest\.config\.ts$/

/** Built from fault definitions, which only demos and tests use. */
const madeAtRunTime = ['server/simulators/faults.ts']

/** Expressions found safe before, because checking all of them takes half a minute. */
const cachePath = join(root, 'node_modules/.cache/zonedeck/safe-expressions-4.5.0.json')

function readCache(): ReadonlySet<unknown> {
  try {
    const cached: unknown = JSON.parse(readFileSync(cachePath, 'utf8'))
    return new Set(Array.isArray(cached) ? cached : [])
  } catch {
    return new Set()
  }
}

async function evaluate(source: string, flags: string): Promise<string> {
  const result = await check(source, flags, { timeout: 240_000 })
  return result.status === 'vulnerable' ? `${result.complexity.summary}, ${result.attack.pattern}` : result.status
}

test('every regular expression of the product runs in linear time', { timeout: 600_000 }, async () => {
  const files = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '*.ts', '*.tsx', '*.js'], { cwd: root, encoding: 'utf8' })
    .trim()
    .split('\n')
    .filter((path) => !tests.test(path))
  const unknown: string[] = []
  const places = new Map<string, { readonly source: string; readonly flags: string; readonly at: string[] }>()
  for (const path of files) {
    const read = readRegularExpressions(path, readFileSync(join(root, path), 'utf8'))
    unknown.push(...read.unknown.map((line) => `${path}:${line}`))
    for (const { source, flags, line } of read.found) {
      const key = `/${source}/${flags}`
      const place = places.get(key) ?? { source, flags, at: [] }
      place.at.push(`${path}:${line}`)
      places.set(key, place)
    }
  }
  expect(unknown.filter((place) => !madeAtRunTime.some((path) => place.startsWith(`${path}:`)))).toEqual([])
  expect(places.size).toBeGreaterThan(300)
  const faults: string[] = []
  const safe: string[] = []
  const before = readCache()
  for (const [key, { source, flags, at }] of places) {
    const verdict = before.has(key) ? 'safe' : await evaluate(source, flags)
    if (verdict === 'safe') safe.push(key)
    else faults.push(`${at.join(', ')} ${key}: ${verdict}`)
  }
  mkdirSync(dirname(cachePath), { recursive: true })
  writeFileSync(cachePath, JSON.stringify(safe))
  expect(faults.join('\n')).toBe('')
})

test('the checker rejects patterns that have blocked the panel before, and accepts their replacements', async () => {
  const before = String.raw`\/+(admin_api(\/v\d+)?|admin)?\/*$`
  expect(await evaluate(before, 'i')).toMatch(/polynomial/)
  expect(await evaluate('<title[^>]*>', 'i')).toMatch(/polynomial/)
  expect(await evaluate('^(a+)+$', '')).toMatch(/exponential/)
  expect(await evaluate('<title[^<>]*>([^<]*)', 'i')).toBe('safe')
})

test('the reader finds literals and RegExp() of constants, and reports expressions it cannot evaluate', () => {
  const text = [
    "const label = '[a-z]'",
    'const quoted = /"x"/',
    'new RegExp(`^${label}+$`, "i")',
    'RegExp(`${quoted.source}|y`)',
    "new RegExp(['a', 'b'].join('|'))",
    'export const made = (text: string) => new RegExp(text)',
  ].join('\n')
  expect(readRegularExpressions('module.ts', text)).toEqual({
    found: [
      { line: 2, source: '"x"', flags: '' },
      { line: 3, source: '^[a-z]+$', flags: 'i' },
      { line: 4, source: '"x"|y', flags: '' },
      { line: 5, source: 'a|b', flags: '' },
    ],
    unknown: [6],
  })
})
