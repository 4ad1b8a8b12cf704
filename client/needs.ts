import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Rolldown } from 'vite'

type Context = Pick<Rolldown.PluginContext, 'getModuleInfo' | 'parse'>

const own = fileURLToPath(new URL('src', import.meta.url))
/** What a feature offers to the others. Its parts are independent of each other: only those that are imported count as needed. */
export const featureIndex = /\/features\/[\w-]+\/(?:[\w-]+\/)?index\.ts$/
const libraryIndex = /\/node_modules\/@(?:mantine\/\w+\/esm\/index|tabler\/icons-react\/dist\/esm\/tabler-icons-react)\.mjs$/

const resolve = (from: string, to: string): string =>
  to.startsWith('#client/') ? join(own, to.slice('#client/'.length)) : join(dirname(from), to)

/** The modules of an index by the names under which it exports their parts. */
function partsOf(context: Context, index: string): ReadonlyMap<string, string> {
  const imported = new Map<string, string>()
  const parts = new Map<string, string>()
  for (const node of context.parse(context.getModuleInfo(index)?.code ?? '').body) {
    if (node.type === 'ImportDeclaration') {
      for (const { local } of node.specifiers) imported.set(local.name, resolve(index, node.source.value))
    } else if (node.type === 'ExportNamedDeclaration') {
      for (const { local, exported } of node.specifiers) {
        if (local.type === 'Literal' || exported.type === 'Literal') continue
        const part = node.source === null ? imported.get(local.name) : resolve(index, node.source.value)
        if (part !== undefined) parts.set(exported.name, part)
      }
    }
  }
  return parts
}

/** Reads which modules a module needs: its imports, and instead of an index those parts of it. */
export function readNeeds(context: Context): (id: string) => readonly string[] {
  const indexes = new Map<string, ReadonlyMap<string, string>>()
  const partOf = (index: string, name: string): string => {
    const parts = indexes.get(index) ?? partsOf(context, index)
    indexes.set(index, parts)
    return parts.get(name) ?? index
  }
  const found = new Map<string, readonly string[]>()
  const read = (id: string): readonly string[] => {
    const { importedIds = [], code = null } = context.getModuleInfo(id) ?? {}
    if (featureIndex.test(id) || libraryIndex.test(id)) return []
    const some = importedIds.filter((each) => featureIndex.test(each) || libraryIndex.test(each))
    if (some.length === 0 || code === null) return importedIds
    const parts = context.parse(code).body.flatMap((node) => {
      if (node.type !== 'ImportDeclaration') return []
      const { value } = node.source
      const index = some.find((each) => each === resolve(id, value) || each.includes(`/node_modules/${value}/`))
      if (index === undefined) return []
      return node.specifiers.map((each) =>
        each.type === 'ImportSpecifier' && each.imported.type === 'Identifier' ? partOf(index, each.imported.name) : index,
      )
    })
    return [...importedIds.filter((each) => !some.includes(each)), ...parts]
  }
  return (id) => {
    const needs = found.get(id) ?? read(id)
    found.set(id, needs)
    return needs
  }
}
