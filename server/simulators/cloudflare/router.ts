import { refuse, CloudflareError } from './reply.ts'
import { ROUTES } from './routes.ts'
import type { Route } from './routes.ts'

type Node = { readonly fixed: Map<string, Node>; param: Node | null; readonly routes: Map<string, Route> }

/** The route of a request, with the identifiers of its path in order. */
export type Match = { readonly route: Route; readonly ids: readonly string[] }

const root = node()
for (const route of ROUTES) {
  let at = root
  for (const segment of route.path.slice(1).split('/')) at = step(at, segment)
  at.routes.set(route.method, route)
}

const ID = /^[0-9a-f]{32}$/
const NAME = /^./
const UUID_OR_ID = /^[0-9a-f]{8}-?([0-9a-f]{4}-?){3}[0-9a-f]{12}$/

/** Throws 7000 with 7003 for unknown paths and malformed identifiers, 7001 for an unsupported method. */
export function route(method: string, path: string): Match {
  const ids: string[] = []
  let at: Node | undefined = root
  for (const segment of path.slice(1).split('/')) {
    const fixed: Node | undefined = at.fixed.get(segment)
    if (fixed === undefined && at.param !== null) ids.push(segment)
    at = fixed ?? at.param ?? undefined
    if (at === undefined) throw noRoute(path)
  }
  const found = at.routes.get(method)
  if (found === undefined) throw at.routes.size === 0 ? noRoute(path) : refuse(405, 7001, `Method ${method} not available for that URI.`)
  const placeholders = found.path.match(/\{\w+\}/g) ?? []
  if (ids.some((id, at) => !formOf(placeholders[at] ?? '', at).test(id))) throw noRoute(path)
  return { route: found, ids }
}

function formOf(placeholder: string, at: number): RegExp {
  if (['{setting}', '{phase}', '{version}', '{certificate}', '{report}'].includes(placeholder)) return NAME
  return at === 0 ? ID : UUID_OR_ID
}

function noRoute(path: string): CloudflareError {
  return new CloudflareError(404, [
    { code: 7003, message: `Could not route to ${path}, perhaps your object identifier is invalid?` },
    { code: 7000, message: 'No route for that URI' },
  ])
}

function step(at: Node, segment: string): Node {
  if (segment.startsWith('{')) return (at.param ??= node())
  const known = at.fixed.get(segment)
  if (known !== undefined) return known
  const next = node()
  at.fixed.set(segment, next)
  return next
}

function node(): Node {
  return { fixed: new Map(), param: null, routes: new Map() }
}
