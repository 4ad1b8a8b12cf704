import { globSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import postcss from 'postcss'
import { describe, expect, it } from 'vitest'

const client = fileURLToPath(new URL('..', import.meta.url))
const read = (path: string): string => readFileSync(join(client, path), 'utf8')

const classesIn = (sheet: string): Set<string> => {
  const classes = new Set<string>()
  postcss.parse(read(sheet)).walkRules(({ selector }) => {
    for (const [, name = ''] of selector.replaceAll(/:global\((?:[^()]|\([^()]*\))*\)/g, '').matchAll(/\.([a-z][\w-]*)/gi))
      classes.add(name)
  })
  return classes
}

const sources = globSync('**/*.{ts,tsx}', { cwd: client }).filter((path) => !path.endsWith('.test.ts'))

/** The classes that components use from each style sheet; `null` if a name is only known at run time. */
const asked = new Map<string, Set<string | null>>()
/** The words of all class attributes that are not from a component's style sheet. */
const shared = new Map<string, string>()

for (const path of sources) {
  const text = read(path)
  for (const [, local = '', from = ''] of text.matchAll(/import (\w+) from '([^']+\.module\.css)'/g)) {
    const sheet = from.startsWith('#client/') ? from.slice('#client/'.length) : relative('.', join(dirname(path), from))
    const names = asked.get(sheet) ?? new Set()
    asked.set(sheet, names)
    for (const [, name] of text.matchAll(new RegExp(`\\b${local}\\[(?:'([\\w-]+)'\\])?`, 'g'))) names.add(name ?? null)
  }
  for (const [, quoted, template] of text.matchAll(/className=(?:"([^"]*)"|\{`([^`]*)`\})/g)) {
    const words = (quoted ?? template ?? '').replaceAll(/\$\{[^}]*\}/g, ' ').split(/\s+/)
    for (const word of words) if (word !== '') shared.set(word, path)
  }
}

describe('classes', () => {
  it('every class that a component uses is in its style sheet, and every class there is used', () => {
    const faults = globSync('**/*.module.css', { cwd: client }).flatMap((sheet) => {
      const used = asked.get(sheet) ?? new Set()
      const defined = classesIn(sheet)
      const unused = used.has(null) ? [] : [...defined].filter((name) => !used.has(name))
      const missing = [...used].filter((name) => name !== null && !defined.has(name))
      return [...unused.map((name) => `${sheet}: .${name} is not used`), ...missing.map((name) => `${sheet}: .${name} is not there`)]
    })
    expect(faults).toEqual([])
  })
  it('every shared class in use is in the kit, and every class of the kit is in use', () => {
    const kit = classesIn('theme/kit.css')
    const all = sources.map(read).join('\n')
    const others = ['theme/loader.css', 'theme/toasts.css'].flatMap((sheet) => [...classesIn(sheet)])
    expect([...shared].filter(([name]) => !kit.has(name) && !others.includes(name))).toEqual([])
    expect([...kit].filter((name) => !shared.has(name) && !all.includes(`'${name}'`))).toEqual([])
  })
})
