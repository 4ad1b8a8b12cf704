import { existsSync, globSync, readFileSync } from 'node:fs'
import { basename, dirname, join, normalize } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

const root = fileURLToPath(new URL('../../', import.meta.url))
const read = (path: string) => readFileSync(join(root, path), 'utf8')
const folders = '{server,client,shared,api-client,e2e}'
const pages = globSync(['*.md', 'docs/**/*.md', 'api-client/*.md', 'server/**/*.md'], { cwd: root }).toSorted()
const tests = globSync(`${folders}/**/*.{test,spec}.{ts,tsx}`, { cwd: root })

/** A page without what stands in fences, where nothing is a link or a heading. */
const proseOf = (path: string) => read(path).replaceAll(/^```[\s\S]*?^```/gm, '')
const linksOf = (path: string) => [...proseOf(path).matchAll(/\]\((?!https?:|mailto:)([^)\s]+)\)/g)].map(([, link = '']) => link)
/** Anchors as they are made of headings on GitHub. */
const anchorsOf = (path: string) =>
  new Set(
    [...proseOf(path).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
      heading
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N}_ -]/gu, '')
        .replaceAll(' ', '-'),
    ),
  )

function isDead(page: string, link: string): boolean {
  const [path = '', anchor] = link.split('#')
  const target = path === '' ? page : normalize(join(dirname(page), path))
  if (!existsSync(join(root, target))) return true
  return anchor !== undefined && !anchorsOf(target).has(anchor)
}

/** The test files that a text names in code, by name or from the root. */
const namedTests = (text: string) => [...text.matchAll(/`([\w./-]+\.(?:test|spec)\.tsx?)`/g)].map(([, name = '']) => name)
const filesNamed = (name: string) => tests.filter((path) => path === name || (!name.includes('/') && basename(path) === name))

describe('the documentation', () => {
  it('has no dead link, anchor or image', () => {
    const dead = pages.flatMap((page) => linksOf(page).flatMap((link) => (isDead(page, link) ? [`${page}: ${link}`] : [])))
    expect(dead).toEqual([])
  })

  it('names only existing test files, each unambiguously', () => {
    const wrong = pages.flatMap((page) => {
      const text = proseOf(page)
      const files = [...text.matchAll(/`((?:server|client|docs|shared|e2e|bench|drizzle)\/[\w./-]+\.\w+)`/g)].map(([, file = '']) => file)
      const missing = files.filter((file) => !existsSync(join(root, file)))
      return [...missing, ...namedTests(text).filter((name) => filesNamed(name).length !== 1)].map((name) => `${page}: ${name}`)
    })
    expect(wrong).toEqual([])
  })

  it('has only valid JSON in its examples', () => {
    const shown = pages.flatMap((page) => [...read(page).matchAll(/^```json\n([\s\S]*?)^```/gm)].map(([, json = '']) => json))
    expect(shown.length).toBeGreaterThan(1)
    for (const json of shown) expect(() => JSON.parse(json) as unknown).not.toThrow()
  })

  it('has an index that leads to every page, and the architecture page to every decision', () => {
    const linked = new Set(['docs/README.md', 'docs/architecture.md'].flatMap(linksOf).map((link) => `docs/${link}`))
    expect(pages.filter((page) => page.startsWith('docs/') && page !== 'docs/README.md' && !linked.has(page))).toEqual([])
  })

  it('wraps its lines at 120 characters, tables and links aside', () => {
    // Benchmarks write their page.
    const own = pages.filter((page) => !page.startsWith('server/') && page !== 'docs/benchmarks.md')
    const long = own.flatMap((page) =>
      proseOf(page)
        .split('\n')
        .flatMap((line, index) => (line.length > 120 && !/^\||^!?\[/.test(line) ? [`${page}:${index + 1}`] : [])),
    )
    expect(long).toEqual([])
  })
})

/** Rows of the tables whose last column names the tests. */
const rowsOf = (path: string) =>
  [...read(path).matchAll(/^\| (?!-)(.+) \|$/gm)]
    .map(([, row = '']) => row.split(' | ').map((cell) => cell.trim()))
    .filter((cells) => cells.at(-1) !== 'shown by')

describe('documented guarantees', () => {
  const promises = rowsOf('docs/guarantees.md')

  it('have three columns and a test in every row', () => {
    expect(promises.length).toBeGreaterThan(50)
    expect(promises.filter((cells) => cells.length !== 3 || namedTests(cells.at(-1) ?? '').length === 0)).toEqual([])
  })

  it('name requirements that the listed tests contain', () => {
    const asked = promises.filter(([, requirement]) => requirement !== '—')
    expect(asked.length).toBeGreaterThan(30)
    const unproven = asked.filter(([, requirement = '', shownBy = '']) => {
      const texts = namedTests(shownBy).flatMap((name) => filesNamed(name).map(read))
      return !/^R-[A-Z0-9]+-\d{2}$/.test(requirement) || !texts.some((text) => text.includes(requirement))
    })
    expect(unproven).toEqual([])
  })

  it('have a test for every safety rule', () => {
    const lines = rowsOf('docs/security.md')
    expect(lines.length).toBeGreaterThan(30)
    expect(lines.filter((cells) => namedTests(cells.at(-1) ?? '').length === 0)).toEqual([])
  })
})
