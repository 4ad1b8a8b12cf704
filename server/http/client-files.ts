import { createHash } from 'node:crypto'
import { readFile, readdir } from 'node:fs/promises'
import { extname, join } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { acceptsCoding } from '#server/http/compression.ts'
import { commonHeaders, contentSecurityPolicy } from '#server/http/security-headers.ts'

/** Encodings written by the build, best first. */
const codings = [
  ['br', '.br'],
  ['gzip', '.gz'],
] as const
const compressed = /\.(br|gz)$/

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.json': 'application/json; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
}

interface PageFile {
  readonly type: string
  readonly etag: string
  readonly plain: Buffer
  readonly coded: ReadonlyMap<string, Buffer>
  /** Only for HTML: allows exactly its inline scripts. */
  readonly policy: string | null
}

const policyOf = (html: string): string => {
  const inline = html
    .split('<script>')
    .slice(1)
    .map((part) => part.split('</script>', 1)[0] ?? '')
  return contentSecurityPolicy(inline.map((script) => `sha256-${createHash('sha256').update(script).digest('base64')}`))
}

/** The service worker answers with these headers of the document, and is a new one when they change. */
const withHeaders = (worker: Buffer, policy: string | null): Buffer => {
  const headers = { 'content-type': types['.html'], ...commonHeaders, 'content-security-policy': policy }
  return Buffer.from(worker.toString().replace('var headers = {}', () => `var headers = ${JSON.stringify(headers)}`))
}

export interface Pages {
  readonly names: readonly string[]
  /** Responds with one of `names`, precompressed if the browser accepts it; it is revalidated on each request. */
  send(name: string, request: FastifyRequest, reply: FastifyReply): FastifyReply
}

/**
 * `index.html` and other files without a hash in the name, read at the start and kept: a later build in the same folder is for processes
 * started after it.
 */
export async function readPages(folder: string): Promise<Pages> {
  const inFolder = (await readdir(folder, { withFileTypes: true })).filter((entry) => entry.isFile() && !entry.name.startsWith('.'))
  const present = new Set(inFolder.map(({ name }) => name))
  const names = [...present].filter((name) => !compressed.test(name))
  const files = new Map<string, PageFile>()
  const policy = present.has('index.html') ? policyOf(await readFile(join(folder, 'index.html'), 'utf8')) : null
  for (const name of names) {
    const isWorker = name === 'sw.js'
    const content = await readFile(join(folder, name))
    const plain = isWorker ? withHeaders(content, policy) : content
    const coded = new Map<string, Buffer>()
    for (const [coding, ending] of codings) {
      if (!isWorker && present.has(name + ending)) coded.set(coding, await readFile(join(folder, name + ending)))
    }
    const etag = `W/"${createHash('sha256').update(plain).digest('base64url').slice(0, 22)}"`
    files.set(name, {
      type: types[extname(name)] ?? 'application/octet-stream',
      etag,
      plain,
      coded,
      policy: name === 'index.html' ? policy : null,
    })
  }
  return {
    names,
    send(name, request, reply) {
      const file = files.get(name)
      if (file === undefined) throw new Error(`the client build has no ${name}`)
      void reply.headers({ 'cache-control': 'no-cache', etag: file.etag, vary: 'accept-encoding' })
      // Also with 304: its headers replace those of the cached page.
      if (file.policy !== null) void reply.header('content-security-policy', file.policy)
      if (request.headers['if-none-match']?.includes(file.etag)) return reply.code(304).send()
      void reply.code(200).type(file.type)
      const [coding] = codings.find(([each]) => file.coded.has(each) && acceptsCoding(request, each)) ?? []
      const content = coding === undefined ? undefined : file.coded.get(coding)
      if (coding === undefined || content === undefined) return reply.send(file.plain)
      return reply.header('content-encoding', coding).send(content)
    },
  }
}

/**
 * The built client with its precompressed variants. Names under `/assets/` contain a hash and never change; they are looked up per request,
 * because the folder also has the files of the previous build, and later those of the next one (client/publish-build.ts).
 */
export async function clientFiles(app: FastifyInstance, folder: string, pages: Pages, serviceWorker: boolean): Promise<void> {
  const assets = join(folder, 'assets')
  await app.register(fastifyStatic, {
    root: assets,
    serve: false,
    preCompressed: true,
    cacheControl: false,
    setHeaders: (reply) => {
      reply.header('cache-control', 'public, max-age=31536000, immutable')
    },
  })
  for (const name of pages.names) {
    const served = name === 'sw.js' && !serviceWorker ? 'sw-off.js' : name
    app.get(`/${name}`, (request, reply) => pages.send(served, request, reply))
  }
  app.get('/', (request, reply) => pages.send('index.html', request, reply))
  app.get<{ Params: { name: string } }>('/assets/:name', (request, reply) => {
    const { name } = request.params
    if (!/^[\w-][\w.-]*$/.test(name) || compressed.test(name)) return reply.callNotFound()
    return reply.sendFile(name)
  })
}
