import { execFile } from 'node:child_process'
import { access, copyFile, mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { demoUser } from '#server/demo/team.ts'
import { startProcess, temporaryFolder } from '#server/testing/process.ts'

const client = join(import.meta.dirname, '../../api-client')

interface Zone {
  readonly name: string
  readonly status: string
  readonly originIPs: readonly string[]
}

/** In every period, checks failed for a domain exactly during its resolved incidents. */
async function expectHistory(get: Get): Promise<void> {
  interface Incident {
    readonly zoneId: string
    readonly openedAt: string
    readonly closedAt: string | null
  }
  const weekMs = 7 * 86_400_000
  const findOver = async () => {
    const { incidents } = await get<{ incidents: Incident[] }>('/api/incidents?state=closed&limit=200')
    return incidents.find(
      ({ openedAt }) => Date.now() - Date.parse(openedAt) > 2 * 86_400_000 && Date.now() - Date.parse(openedAt) < weekMs / 2,
    )
  }
  await expect.poll(findOver, { timeout: 60_000, interval: 1_000 }).toBeDefined()
  const over = await findOver()
  for (const [range, points] of [
    ['day', 20],
    ['week', 150],
    ['month', 28],
  ] as const) {
    const history = await get<{ points: { region: string; failed: number; at: string }[] }>(
      `/api/zones/${over?.zoneId}/health/history?range=${range}`,
    )
    const ofEurope = history.points.filter(({ region }) => region === 'EUROPE')
    expect(ofEurope.length).toBeGreaterThan(points)
    const unit = range === 'month' ? 10 : 13
    const hit = ofEurope.filter(
      ({ at }) => new Date(at).toISOString().slice(0, unit) === new Date(over?.openedAt ?? 0).toISOString().slice(0, unit),
    )
    expect(hit.map(({ failed }) => failed > 0)).toEqual(range === 'day' ? [] : [true])
  }
}

type Get = <T>(path: string) => Promise<T>
interface Operation {
  readonly id: string
  readonly kind: string
  readonly state: string
  readonly trialOver: boolean
  readonly scheduledAt: string | null
  readonly done: number
  readonly failed: number
}

/** What a team would have: groups, templates, colleagues with shares, a public status page, and operations in every state. */
async function expectTeam(get: Get): Promise<void> {
  const { profiles } = await get<{ profiles: { name: string; isDefault: boolean }[] }>('/api/profiles')
  expect(profiles.filter(({ isDefault }) => isDefault).map(({ name }) => name)).toEqual(['Storefront'])
  const { users } = await get<{ users: { username: string; accountsCount: number }[] }>('/api/users')
  expect(users.find(({ username }) => username === 'anna')).toMatchObject({ accountsCount: 2 })
  expect(users).toHaveLength(4)
  const operations = async () => (await get<{ operations: Operation[] }>('/api/operations')).operations
  const find = async () => {
    const all = await operations()
    const has = (wanted: (operation: Operation) => boolean) => all.some(wanted)
    return {
      running: has(({ kind, state }) => kind === 'purge' && state === 'running'),
      partlyRefused: has(({ kind, state, done, failed }) => kind === 'create' && state === 'done' && done > 0 && failed > 0),
      canary: has(({ state, trialOver }) => state === 'paused' && trialOver),
      scheduled: has(({ state, scheduledAt }) => state === 'queued' && scheduledAt !== null),
      undoable: has(({ kind, state, failed }) => kind === 'settings' && state === 'done' && failed === 0),
    }
  }
  const every = { running: true, partlyRefused: true, canary: true, scheduled: true, undoable: true }
  await expect.poll(find, { timeout: 120_000, interval: 1_000 }).toEqual(every)
  const refused = (await operations()).find(({ kind }) => kind === 'create')?.id ?? ''
  const { items } = await get<{ items: { message: string | null }[] }>(`/api/operations/${refused}?state=failed`)
  expect(items.map(({ message }) => message ?? '').toSorted((one, other) => (one < other ? -1 : 1))).toEqual([
    expect.stringMatching(/^This web property cannot be added to Cloudflare/),
    expect.stringMatching(/is not a registered domain/),
  ])
  const outside = async () => {
    const { changes } = await get<{ changes: { critical: string | null }[] }>('/api/provider-changes?outside=true')
    return { some: changes.length > 0, critical: changes.some(({ critical }) => critical === 'token_created') }
  }
  await expect.poll(outside, { timeout: 120_000, interval: 1_000 }).toEqual({ some: true, critical: true })
  const { groups } = await get<{ groups: { name: string; zonesCount: number; sharedWith: number }[] }>('/api/groups')
  expect(groups.every(({ zonesCount }) => zonesCount > 0)).toBe(true)
  expect(groups.find(({ name }) => name === 'Storefronts')).toMatchObject({ zonesCount: 24, sharedWith: 2 })
}

/** An address that a few active domains point to, and no others. */
function addressOfFew(zones: readonly Zone[]): string {
  const leading = Map.groupBy(
    zones.flatMap((zone) => zone.originIPs.map((ip) => ({ ip, zone }))),
    ({ ip }) => ip,
  )
  const few = [...leading].find(
    ([, all]) => all.length <= 5 && all.every(({ zone }) => zone.status === 'active' && zone.originIPs.length === 1),
  )
  if (few === undefined) throw new Error('no address has few domains')
  return few[0]
}

/** The typed client's example, run as by a user who installed the client as a package. */
async function runExample(folder: string, env: { readonly url: string; readonly token: string }, args: readonly string[]): Promise<string> {
  const installed = join(folder, 'node_modules/@zonedeck/client')
  await mkdir(installed, { recursive: true })
  await writeFile(join(installed, 'package.json'), '{"name":"@zonedeck/client","type":"module","exports":"./index.js"}')
  await writeFile(join(installed, 'index.js'), `export * from '${pathToFileURL(join(client, 'src/index.ts')).href}'`)
  await writeFile(join(folder, 'package.json'), '{"type":"module"}')
  await copyFile(join(client, 'examples/change-address.ts'), join(folder, 'change-address.ts'))
  const { stdout } = await promisify(execFile)(process.execPath, ['change-address.ts', ...args], {
    cwd: folder,
    env: { PATH: process.env['PATH'] ?? '', ZONEDECK_URL: env.url, ZONEDECK_TOKEN: env.token },
  })
  return stdout
}

test(
  'R-API-04 the demo prints its sign-in, shows a team’s accounts, domains, groups, colleagues and operations with a consistent history of checks, keeps its data separate, restarts on it, and runs the typed client’s example',
  { timeout: 300_000 },
  async () => {
    const folder = await temporaryFolder()
    onTestFinished(() => folder.remove())
    const data = join(folder.path, 'data')
    for (const start of ['first', 'second']) {
      // The demo ignores a configured database; the registration setting applies.
      const demo = startProcess('demo.ts', { DATA_DIR: data, DATABASE_URL: 'postgres://real@127.0.0.1:1/real', REGISTRATION: 'closed' })
      onTestFinished(async () => {
        demo.kill('SIGTERM')
        await demo.ended
      })
      const address = await demo.address
      expect(demo.output()).toContain(`Sign in as ${demoUser.email} with the password ${demoUser.password}`)
      const telegram = /^Simulated Telegram with the bot's messages: (http\S+)$/m.exec(demo.output())?.[1] ?? ''
      expect(await (await fetch(telegram)).text()).toContain('<title>Telegram · Zonedeck demo</title>')
      const login = await fetch(`${address}/api/auth/login`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ email: demoUser.email, password: demoUser.password }),
      })
      const { token, user } = (await login.json()) as { token: string; user: { role: string } }
      expect(user.role).toBe('admin')
      const get = async <T>(path: string) =>
        (await (await fetch(`${address}${path}`, { headers: { authorization: `Bearer ${token}` } })).json()) as T
      expect(await get('/api/auth/config')).toEqual({ registration: 'closed', firstUser: false })
      expect((await get<{ accounts: unknown[] }>('/api/accounts')).accounts).toHaveLength(12)
      const zones = async () => (await get<{ data: Zone[] }>('/api/zones/live')).data
      await expect.poll(async () => (await zones()).length, { timeout: 60_000, interval: 500 }).toBeGreaterThan(1500)
      if (start === 'first') await expectTeam(get)
      if (start === 'first') await expectHistory(get)
      if (start === 'second') {
        const seen = await zones()
        const from = addressOfFew(seen)
        const printed = await runExample(folder.path, { url: address, token }, [from, '203.0.113.200', '--yes'])
        expect(printed).toMatch(/(\d+) domains, \d+ calls to the provider[\s\S]*updated \1 of \1 domains/)
        // Domains read since then may have the address too.
        const moved = seen.filter(({ originIPs }) => originIPs.includes(from)).map(({ name }) => name)
        const left = (await get<{ data: Zone[] }>(`/api/zones/live?ip=${from}`)).data.map(({ name }) => name)
        expect(left.filter((name) => moved.includes(name))).toEqual([])
      }
      demo.kill('SIGTERM')
      const code = await demo.ended
      if (code !== 0) throw new Error(`the demo ended with ${code}:\n${demo.output()}`)
    }
    await access(join(data, 'demo/postgres'))
    await expect(readFile(join(data, 'secret.key'))).rejects.toThrow('ENOENT')
  },
)
