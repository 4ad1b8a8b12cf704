import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { replaceSection, summarize, summarized } from './summary.ts'

const read = (path: string): string => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8')
/** Tables are aligned, and paragraphs wrapped, by the formatter. */
const plain = (text: string): string => text.replaceAll(/-{3,}/g, '---').replaceAll(/\s+/g, ' ')

const details = read('docs/benchmarks-details.md')

test('the page shows the figures of the details', () => {
  const page = read('docs/benchmarks.md')
  expect(plain(page)).toBe(plain(summarize(page, details)))
})

test('the page shows every benchmark', () => {
  const [, list = ''] = read('bench/main.ts').split('const benches')
  const names = [...list.slice(0, list.indexOf('\n}')).matchAll(/^ {2}'?([a-z-]+)/gm)].map(([, name = '']) => name)
  expect(names.length).toBeGreaterThan(20)
  expect(names.filter((name) => !summarized.has(name))).toEqual([])
})

test('of many figures the one closest to its limit is shown, and how many miss theirs', () => {
  const about = 'counts.\n2026-01-02, 2 cores.\n\n| what | ratio | figure | against | |\n| --- | --- | --- | --- | --- |'
  const rows = ['| substring: median | 0.5 | 5 ms | at most 10 (x) | met |', '| b: median | 1.2 | 12 ms | at most 10 (x) | missed |']
  const text = replaceSection(details, 'domains-counts', `## domains-counts\n\n${about}\n${rows.join('\n')}\n`)
  const page = summarize('# Title\n\n## Counts\n\nformer text\n\n## Own\n\nkept\n', text)
  const row = '| Tiles and filter counts, median | 12 ms | at most 10 (x) | missed by 1 of 2 | 2026-01-02 |'
  expect(page).toContain(row)
  expect(page).not.toContain('former text')
  expect(page.endsWith('## Own\n\nkept\n')).toBe(true)
})
