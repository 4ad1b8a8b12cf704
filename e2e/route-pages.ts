import { readFileSync } from 'node:fs'
import type { Filled } from './filled-deck.ts'

/** Every path of the client, as the route tree has it: a new page is among them without being listed anywhere. */
export function routePaths(): string[] {
  const tree = readFileSync(new URL('../client/src/routeTree.gen.ts', import.meta.url), 'utf8')
  const routes = /interface FileRoutesByTo \{(.*?)\n\}/s.exec(tree)?.[1] ?? ''
  return Array.from(routes.matchAll(/'(.+?)':/g), ([, path]) => path ?? '')
}

/** The pages for which nobody signs in. */
export const openPaths = ['/login', '/reset-password', '/status/$slug']

/** Where a page of one change is looked at; a new kind of object has to be named here. */
export function addressOf(path: string, filled: Filled): string {
  const id = { domains: filled.domainId, operations: filled.operationId, status: 'shops' }[path.split('/')[1] ?? '']
  if (path.includes('$') && id === undefined) throw new Error(`${path}: which one?`)
  return path.replace(/\$\w+/, id ?? '')
}
