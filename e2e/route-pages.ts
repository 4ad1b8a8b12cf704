import { readFileSync } from 'node:fs'
import type { Filled } from './filled-deck.ts'

/** Every path of the route tree, so that a new page is included automatically. */
export function routePaths(): string[] {
  const tree = readFileSync(new URL('../client/src/routeTree.gen.ts', import.meta.url), 'utf8')
  const routes = /interface FileRoutesByTo \{(.*?)\n\}/s.exec(tree)?.[1] ?? ''
  return Array.from(routes.matchAll(/'(.+?)':/g), ([, path]) => path ?? '')
}

/** The public pages. */
export const openPaths = ['/login', '/reset-password', '/status/$slug']

/** The path with its parameters filled in; a new kind of object must be added here. */
export function addressOf(path: string, filled: Filled): string {
  const id = { domains: filled.domainId, operations: filled.operationId, status: 'shops' }[path.split('/')[1] ?? '']
  if (path.includes('$') && id === undefined) throw new Error(`${path}: which one?`)
  return path.replace(/\$\w+/, id ?? '')
}
