import { readFileSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Plugin } from 'vite'
import { filesUnder } from './publish-build.ts'

// `@tabler/icons-react` and its sources take 88 MB, of which the panel uses about 150 icons. Their modules are in `icons.json`, and the client is
// built from that file, so that the package is needed only for its types, in development.

const here = fileURLToPath(new URL('.', import.meta.url))
const file = join(here, 'icons.json')
const name = '@tabler/icons-react'
const home = join(here, '../node_modules', name, 'dist/esm')
const importOfIcons = /^import \{([^{}]*)\} from '@tabler\/icons-react'$/gm

interface Icons {
  readonly package: string
  readonly license: string
  /** The code of each module by its path in the package. */
  readonly modules: Readonly<Record<string, string>>
}

/** Takes the icons that the client imports from the installed package. */
export async function extractIcons(): Promise<Icons> {
  const used = new Set<string>()
  for (const source of await filesUnder(join(here, 'src')))
    for (const [, names = ''] of /\.tsx?$/.test(source) ? (await readFile(source, 'utf8')).matchAll(importOfIcons) : [])
      for (const each of names.split(',')) if (/^\s*Icon\w+\s*$/.test(each)) used.add(each.trim())
  const paths = ['createReactComponent.mjs', 'defaultAttributes.mjs', ...[...used].toSorted().map((each) => `icons/${each}.mjs`)]
  const codeOf = async (path: string): Promise<[string, string]> => {
    const text = await readFile(join(home, path), 'utf8')
    return [path, text.slice(text.indexOf('*/') + 2).trim()]
  }
  const { version } = JSON.parse(await readFile(join(home, '../../package.json'), 'utf8')) as { version: string }
  const license = (await readFile(join(home, '../../LICENSE'), 'utf8')).trim()
  return { package: `${name} ${version}`, license, modules: Object.fromEntries(await Promise.all(paths.map(codeOf))) }
}

export const readIcons = (): Icons => JSON.parse(readFileSync(file, 'utf8')) as Icons

export async function writeIcons(): Promise<void> {
  const text = `${JSON.stringify(await extractIcons(), null, 2)}\n`
  if (text !== (await readFile(file, 'utf8'))) await writeFile(file, text)
}

/** Builds with the modules in `icons.json`, whether or not the package is installed. */
export function committedIcons(): Plugin {
  const { modules } = readIcons()
  const index = Object.keys(modules)
    .filter((path) => path.startsWith('icons/'))
    .map((path) => `export { default as ${path.slice('icons/'.length, -'.mjs'.length)} } from './${path}'`)
    .join('\n')
  return {
    name: 'committed-icons',
    apply: 'build',
    enforce: 'pre',
    resolveId(source, importer) {
      if (source === name) return { id: join(home, 'index.mjs'), moduleSideEffects: false }
      if (importer?.startsWith(home) !== true || !source.startsWith('.')) return null
      return { id: join(dirname(importer), source), moduleSideEffects: false }
    },
    load: (id) => (id.startsWith(home) ? (id === join(home, 'index.mjs') ? index : modules[relative(home, id)]) : null),
  }
}
