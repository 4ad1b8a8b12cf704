import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { variables } from '#server/config/env.ts'
import packageJson from '../../package.json' with { type: 'json' }

const root = new URL('../../', import.meta.url)
const read = (path: string) => readFileSync(new URL(path, root), 'utf8')

describe('the README', () => {
  const readme = read('README.md')

  it('lists only variables that are read', () => {
    const rows = [...readme.matchAll(/^\| `([A-Z_]+)` +\| \S.* \| \S.*\|$/gm)].map(([, name = '']) => name)
    expect(rows.length).toBeGreaterThan(5)
    for (const name of rows) expect(Object.keys(variables)).toContain(name)
  })

  it('names only existing commands', () => {
    const named = [...readme.matchAll(/npm (start|test|run (?:-s )?([\w:-]+))/g)].map(([, name, script = name]) => script)
    expect(named.length).toBeGreaterThan(8)
    for (const name of named) expect(Object.keys(packageJson.scripts)).toContain(name)
  })
})
