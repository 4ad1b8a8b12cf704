import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { createServer as createTcpServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { inspect, promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { servePanel } from '../server/testing/served-panel.ts'
import type { ServedPanel } from '../server/testing/served-panel.ts'
import { createPanel, ZonedeckError } from './src/index.ts'
import type { Panel } from './src/index.ts'

const run = promisify(execFile)
const here = fileURLToPath(new URL('.', import.meta.url))
const zones = 30
let served: ServedPanel
let panel: Panel
beforeAll(async () => {
  served = await servePanel(zones)
  panel = createPanel({ url: served.url, token: served.writeToken })
})
afterAll(() => served.close())

test('R-API-04 a list is paginated, returns each item once, and fetches no page that is not needed', async () => {
  const all: string[] = []
  for await (const { name } of panel.domains.all({ limit: 7 })) all.push(name)
  expect([new Set(all).size, all]).toEqual([zones, all.toSorted()])

  const asked: string[] = []
  const counting = createPanel({
    url: served.url,
    token: served.readToken,
    fetch: (input, init) => {
      asked.push(input as string)
      return fetch(input, init)
    },
  })
  for await (const { name } of counting.domains.list.all({ limit: 7 })) if (name === all[8]) break
  expect(asked).toHaveLength(2)
})

describe('R-API-04 errors are typed', () => {
  const failure = (promise: Promise<unknown>) => promise.then(() => null).catch((error: unknown) => error)

  test('an error has its code, an English message, issues by field and the request id', async () => {
    const error = await failure(panel.groups.create({ name: '' }))
    expect(error).toBeInstanceOf(ZonedeckError)
    expect(error).toMatchObject({
      code: 'validation_failed',
      status: 400,
      retryable: false,
      issues: [{ path: 'name', message: expect.stringMatching(/^[A-Z].+ /) as unknown }],
      requestId: expect.any(String) as unknown,
    })
    expect((error as Error).message).toMatch(/^[A-Z]/)
  })

  test('an error includes the provider’s message', async () => {
    const error = await failure(panel.accounts.add({ email: 'nobody@example.com', apiKey: 'a'.repeat(37) }))
    expect(error).toMatchObject({ provider: { message: expect.any(String) as unknown } })
  })

  test('a wrong token, a read-only token, an unreachable server and a non-panel server each have their own code', async () => {
    const as = (token: string, url = served.url) => createPanel({ url, token })
    expect(await failure(as('zd_wrong').auth.me())).toMatchObject({ code: 'unauthorized', status: 401 })
    expect(await failure(as(served.readToken).groups.create({ name: 'no' }))).toMatchObject({ code: 'read_only_token', status: 403 })
    expect(await failure(as('x', 'http://127.0.0.1:9').auth.me())).toMatchObject({ code: 'unreachable', status: 0, retryable: true })
    const other = createServer((_, response) => response.writeHead(502).end('<html>bad gateway'))
    other.listen(0, '127.0.0.1')
    await once(other, 'listening')
    onTestFinished(() => void other.close())
    const { port } = other.address() as AddressInfo
    expect(await failure(as('x', `http://127.0.0.1:${port}`).auth.me())).toMatchObject({ code: 'unreadable', status: 502 })
  })

  test.each([
    ['nothing at all', ''],
    ['the beginning of an answer', 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 99\r\n\r\n{'],
  ])('R-API-04 a panel that accepts the request and sends %s times out with a retryable error', async (_, sent) => {
    const silent = createTcpServer((socket) => socket.on('error', () => socket.destroy()).once('data', () => socket.write(sent)))
    silent.listen(0, '127.0.0.1')
    await once(silent, 'listening')
    onTestFinished(() => void silent.close())
    const { port } = silent.address() as AddressInfo
    const panelOfSilence = createPanel({ url: `http://127.0.0.1:${port}`, token: 'x', timeoutMs: 50 })
    expect(await failure(panelOfSilence.auth.me())).toMatchObject({ code: 'unreachable', status: 0, retryable: true })
  })

  test('an invalid URL or token is reported immediately, without a request', async () => {
    for (const url of ['nonsense', '', 'ftp://panel.example.com']) expect(() => createPanel({ url })).toThrow(TypeError)
    const asked: unknown[] = []
    const wrong = createPanel({
      url: served.url,
      token: 'zd_secret\n',
      fetch: (input, init) => {
        asked.push(input)
        return fetch(input, init)
      },
    })
    for (const error of [await failure(wrong.auth.me()), await failure(wrong.live.events().next())]) {
      expect(error).toMatchObject({ name: 'TypeError', message: expect.not.stringContaining('secret') as unknown })
    }
    expect(asked).toEqual([])
  })

  test('an aborted call rejects with the abort reason', async () => {
    expect(await failure(panel.auth.me(undefined, { signal: AbortSignal.abort(new Error('enough')) }))).toMatchObject({ message: 'enough' })
  })
})

test('R-API-04 change events arrive live and continue after a lost connection', async () => {
  const abort = new AbortController()
  const events = panel.live.events({}, { signal: abort.signal })
  const kinds: string[] = []
  const listening = (async () => {
    for await (const { kind } of events) kinds.push(kind)
  })().catch(() => undefined)
  const heard = async () => {
    const before = kinds.length
    await expect
      .poll(async () => {
        await panel.profiles.create({ name: crypto.randomUUID().slice(0, 8), settings: { ssl: 'full' }, records: [] })
        return kinds.slice(before)
      })
      .toContain('profiles')
  }
  await heard()
  served.cut()
  await heard()
  abort.abort()
  await listening
})

test('R-API-04 a change is previewed, started and awaited, and its failures are returned', async () => {
  const [first, second] = await Array.fromAsync(panel.domains.all({ limit: 2 }))
  const ids = [first?.id ?? '', second?.id ?? '']
  const preview = await panel.operations.preview({
    request: { kind: 'settings', input: { settings: { minTlsVersion: '1.3' } } },
    target: { ids },
  })
  expect(preview.operation).toMatchObject({ state: 'draft', total: 2 })
  await panel.operations.start({ id: preview.operation.id })
  const seen: number[] = []
  const { operation, failures } = await panel.operations.wait(preview.operation.id, {
    everyMs: 20,
    onProgress: ({ done }) => seen.push(done),
  })
  expect([operation.state, operation.done, failures, seen.at(-1)]).toEqual(['done', 2, [], 2])
})

describe('waiting survives a restart of the panel', () => {
  /** A client of the real panel in which the calls with the given numbers meet a panel that is shutting down or unreachable. */
  function shaky(away: (call: number) => boolean) {
    let calls = 0
    const body = JSON.stringify({ error: { data: { code: 'shutting_down', httpStatus: 503, retryable: true } } })
    return createPanel({
      url: served.url,
      token: served.writeToken,
      fetch: (input, init) => {
        calls += 1
        if (!away(calls)) return fetch(input, init)
        return calls % 2 === 0 ? Promise.resolve(new Response(body, { status: 503 })) : fetch('http://127.0.0.1:9', init)
      },
    })
  }
  const begun = async () => {
    const { domains } = await panel.domains.list({ limit: 1 })
    const target = { ids: domains.map(({ id }) => id) }
    const { operation } = await panel.operations.preview({ request: { kind: 'refresh', input: {} }, target })
    await panel.operations.start({ id: operation.id })
    return operation.id
  }

  test('R-API-04 503 responses and broken connections are retried, also while failures are read', async () => {
    const away: string[] = []
    const { operation } = await shaky((call) => call % 3 !== 0).operations.wait(await begun(), {
      everyMs: 10,
      onAway: ({ code }) => away.push(code),
    })
    expect(away.slice(0, 2)).toEqual(['unreachable', 'shutting_down'])
    expect(operation).toMatchObject({ state: 'done', done: 1 })
  })

  test('retries end after the patience runs out, and a rejection ends the wait immediately', async () => {
    const id = await begun()
    await expect(shaky(() => true).operations.wait(id, { everyMs: 10, patienceMs: 60 })).rejects.toMatchObject({ retryable: true })
    await expect(panel.operations.wait(crypto.randomUUID())).rejects.toMatchObject({ code: 'not_found' })
  })
})

test('printing, comparing or converting a panel object makes no calls', () => {
  const asked: unknown[] = []
  const quiet = createPanel({
    url: served.url,
    fetch: (input) => {
      asked.push(input)
      return Promise.reject(new Error('asked'))
    },
  })
  expect(JSON.stringify({ panel: quiet, part: quiet.domains })).toBe('{"panel":{}}')
  const [whole, part]: { toString(): string }[] = [quiet, quiet.domains]
  expect([whole?.toString(), typeof part?.toString(), inspect(quiet)]).toEqual(['[object Object]', 'string', '{}'])
  expect([quiet === quiet.valueOf(), Object.keys(quiet), asked]).toEqual([true, [], []])
})

interface OpenApiExamples {
  readonly paths: Readonly<
    Record<string, Readonly<Record<string, { readonly 'x-codeSamples'?: readonly { readonly lang: string; readonly source: string }[] }>>>
  >
}

describe('the package', () => {
  let folder = ''
  let tarball = ''
  beforeAll(async () => {
    const { stdout } = await run(process.execPath, [join(here, 'build.ts')])
    tarball = stdout.split('\n')[0] ?? ''
    folder = await mkdtemp(join(tmpdir(), 'zonedeck-client-'))
    await writeFile(join(folder, 'package.json'), '{"private":true,"type":"module"}')
    await run('npm', ['install', '--offline', '--no-audit', '--no-fund', tarball], { cwd: folder })
    await cp(join(here, 'examples'), folder, { recursive: true })
  }, 400_000)
  afterAll(() => rm(folder, { recursive: true, force: true }))

  const installed = (name: string) => join(folder, 'node_modules/@zonedeck/client', name)

  test('R-API-04 is under 110 kB, has no dependencies and contains no server source', async () => {
    expect((await stat(tarball)).size).toBeLessThan(110_000)
    const { dependencies, version } = JSON.parse(await readFile(installed('package.json'), 'utf8')) as Record<string, unknown>
    const { version: panels } = JSON.parse(await readFile(join(here, '../package.json'), 'utf8')) as Record<string, unknown>
    expect([dependencies, version]).toEqual([undefined, panels])
    const types = await readFile(installed('procedures.gen.d.ts'), 'utf8')
    expect(types).not.toMatch(/#server|#shared|from 'zod'/)
  })

  test('R-API-04 in an empty project the example, the README snippets and every OpenAPI example compile with full types, and a wrong call does not', async () => {
    const options = {
      strict: true,
      noEmit: true,
      module: 'nodenext',
      target: 'es2023',
      lib: ['es2023', 'dom', 'dom.asynciterable'],
      skipLibCheck: false,
    }
    const types = { ...options, typeRoots: [join(here, '../node_modules/@types')], types: ['node'] }
    await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions: { ...types, skipLibCheck: true }, include: ['*.ts'] }))
    const readme = await readFile(join(here, 'README.md'), 'utf8')
    const snippets = [...readme.matchAll(/^```ts\n([\s\S]*?)^```/gm)].map(([, snippet = '']) => snippet)
    expect(snippets.length).toBeGreaterThan(0)
    await Promise.all(snippets.map((snippet, index) => writeFile(join(folder, `readme-${index}.ts`), snippet)))
    const document = (await (await fetch(`${served.url}/api/openapi.json`)).json()) as OpenApiExamples
    const samples = Object.values(document.paths)
      .flatMap((methods) => Object.values(methods))
      .flatMap((operation) => operation['x-codeSamples'] ?? [])
      .flatMap(({ lang, source }) => (lang === 'TypeScript' ? [source] : []))
    expect(samples.length).toBeGreaterThan(150)
    await writeFile(
      join(folder, 'samples.ts'),
      ["import { createPanel } from '@zonedeck/client'", "const panel = createPanel({ url: 'http://127.0.0.1' })", ...samples].join('\n'),
    )
    const check = () =>
      run(join(here, '../node_modules/.bin/tsc'), ['-p', folder], { cwd: folder }).then(
        () => '',
        (error: { stdout: string }) => error.stdout,
      )
    expect(await check()).toBe('')
    await writeFile(
      join(folder, 'wrong.ts'),
      `import { createPanel } from '@zonedeck/client'
const panel = createPanel({ url: 'http://127.0.0.1' })
await panel.domains.list({ filter: { status: 'nonsense' } })
const { domains } = await panel.domains.list()
domains[0]?.noSuchField
for await (const domain of panel.domains.all()) domain.alsoNone
await panel.nothing.list()
`,
    )
    const complaints = (await check()).split('\n').filter((line) => line.startsWith('wrong.ts'))
    expect(complaints.map((line) => /\((\d+),/.exec(line)?.[1])).toEqual(['3', '5', '6', '7'])
    await rm(join(folder, 'wrong.ts'))
  }, 120_000)

  describe('R-API-04 the example runs where it is installed', () => {
    const [from, to, neighbor] = ['203.0.113.1', '192.0.2.200', '203.0.113.10'] as const
    const example = async (...args: string[]) => {
      const env = { PATH: process.env['PATH'] ?? '', ZONEDECK_URL: served.url, ZONEDECK_TOKEN: served.writeToken }
      try {
        return { code: 0, ...(await run(process.execPath, [installed('examples/change-address.js'), ...args], { cwd: tmpdir(), env })) }
      } catch (error) {
        return error as { code: number; stdout: string; stderr: string }
      }
    }
    const moveTo = async (ipAddress: string, ...ids: string[]) => {
      const { operation } = await panel.operations.preview({
        request: { kind: 'ip', input: { ipAddress, mode: 'replace' } },
        target: { ids },
      })
      await panel.operations.start({ id: operation.id })
      await panel.operations.wait(operation.id)
    }
    const namesAt = async (ip: string) => (await Array.fromAsync(panel.domains.all({ filter: { ip } }))).map(({ name }) => name)

    test('it moves only the domains at the given address, lists each of them, and asks for confirmation first', async () => {
      const [one, two, other] = await Array.fromAsync(panel.domains.all({ filter: { status: 'active' } }))
      await moveTo(from, one?.id ?? '', two?.id ?? '')
      await moveTo(neighbor, other?.id ?? '')
      const drafts = async () => (await panel.operations.list({ limit: 200 })).operations.length
      const before = await drafts()

      const asked = await example(from, to)
      expect([asked.code, asked.stderr]).toEqual([2, expect.stringContaining(`Move 2 domains from ${from} to ${to}?`) as unknown])
      for (const name of [one?.displayName, two?.displayName]) expect(asked.stdout).toContain(String(name))
      expect(asked.stdout).not.toContain(String(other?.displayName))
      expect([await namesAt(from), await drafts()]).toEqual([[one?.name, two?.name], before])

      const done = await example(from, to, '--yes')
      expect([done.code, done.stdout]).toEqual([0, expect.stringContaining('updated 2 of 2 domains') as unknown])
      expect([await namesAt(from), await namesAt(to), await namesAt(neighbor)]).toEqual([[], [one?.name, two?.name], [other?.name]])
    })

    test('an address without domains, or no address at all, moves nothing', async () => {
      expect(await example('203.0.113.', to, '--yes')).toMatchObject({ code: 1, stderr: expect.stringMatching(/^no_domains: /) as unknown })
      expect(await example('--yes')).toMatchObject({ code: 2, stderr: expect.stringContaining('OLD NEW') as unknown })
    })
  })

  test('the command is installed and prints its help', async () => {
    const { stdout } = await run(join(folder, 'node_modules/.bin/zonedeck'), ['--help'])
    expect(stdout).toContain('domains list')
  })
})
