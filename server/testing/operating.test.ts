import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { variables } from '#server/config/env.ts'
import { figures } from '#server/http/metric-names.ts'

const root = new URL('../../', import.meta.url)
const read = (path: string) => readFileSync(new URL(path, root), 'utf8')
/** Cells of a table, without padding. */
const rowsOf = (text: string) =>
  [...text.matchAll(/^\| .* \|$/gm)].map(([line]) =>
    line
      .slice(1, -1)
      .split('|')
      .map((cell) => cell.trim()),
  )

describe('the self-hosting guide', () => {
  const guide = read('docs/operate.md')
  const rows = rowsOf(guide)

  it('documents exactly the existing variables, with the accepted values and meaning from the start-up help', () => {
    const documented = rows.filter(([name = '']) => /^`[A-Z_]+`$/.test(name) && name !== '`ROLE`')
    const expected = Object.entries(variables).map(([name, { accepted, about }]) => [`\`${name}\``, accepted, about])
    expect(rows.filter(([name]) => name === '`ROLE`')).toHaveLength(2)
    expect(documented).toEqual(expected.filter(([name]) => name !== '`ROLE`'))
  })

  it('lists exactly the existing metrics', () => {
    const known = new Set([
      ...Object.keys(figures),
      'zonedeck_build_info',
      'zonedeck_http_request_duration_seconds',
      'zonedeck_database_up',
      'zonedeck_backup_timestamp_seconds',
      'zonedeck_checks_total',
      'zonedeck_loop_rounds_total',
      'zonedeck_loop_failures_total',
    ])
    const named = [...guide.matchAll(/zonedeck_[a-z_]+/g)].map(([name]) => name)
    expect(named.filter((name) => !known.has(name))).toEqual([])
    // In the table a name may omit the prefix it shares with the previous one.
    const documented = [...guide.matchAll(/`(?:zonedeck)?(_[a-z_]+)`/g)].map(([, end = '']) => end)
    expect([...known].filter((name) => !documented.some((end) => name.endsWith(end)))).toEqual([])
  })

  it('names only existing CLI commands', () => {
    const cli = read('server/entrypoints/run-cli.ts')
    const named = [...guide.matchAll(/(?:cli --|server\/cli\.ts) ([a-z][a-z-]+)/g)].map(([, name = '']) => name)
    expect(new Set(named).size).toBeGreaterThan(4)
    for (const name of named) expect(cli).toMatch(new RegExp(`usage: '${name}\\b`))
  })
})
