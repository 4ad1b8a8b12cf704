import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { variables } from '#server/config/env.ts'
import packageJson from '../../package.json' with { type: 'json' }

const root = new URL('../../', import.meta.url)
const read = (path: string) => readFileSync(new URL(path, root), 'utf8')
const pages = ['README.md', 'CHANGELOG.md', 'docs/developing.md']

describe('the README', () => {
  const readme = read('README.md')

  it.each(Object.keys(variables))('has a row for %s', (name) => {
    expect(readme).toMatch(new RegExp(`^\\| \`${name}\` +\\| \\S.* \\| \\S.*\\|$`, 'm'))
  })

  it('has a row for no variable that is not read', () => {
    const rows = [...readme.matchAll(/^\| `([A-Z_]+)` +\|/gm)].map(([, name]) => name)
    expect(rows).toEqual(Object.keys(variables))
  })

  it('names only commands that exist', () => {
    const named = [...readme.matchAll(/npm (?:run )?(start|test|(?<=run )[\w:-]+)/g)].map(([, name]) => name)
    expect(named.length).toBeGreaterThan(8)
    for (const name of named) expect(Object.keys(packageJson.scripts)).toContain(name)
  })

  it.each(pages)('%s links to nothing that is not there', (page) => {
    const base = new URL(page, root)
    const links = [...read(page).matchAll(/\]\((?!https?:)([^)#]+)/g)].flatMap(([, link]) => (link === undefined ? [] : [link]))
    expect(links.filter((link) => !existsSync(new URL(link, base)))).toEqual([])
  })
})
