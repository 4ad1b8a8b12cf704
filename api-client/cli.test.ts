import { spawn } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { servePanel } from '../server/testing/served-panel.ts'
import type { ServedPanel } from '../server/testing/served-panel.ts'
import { commands, options } from './src/cli/commands.ts'
import { run } from './src/cli/run.ts'
import type { Domain, DnsRecord, Operation } from './src/index.ts'
import { arrange } from './src/rest/arrange.ts'
import { callsOf, matchPath } from './src/rest/calls.ts'
import type { OpenApiDocument } from './src/rest/calls.ts'

let served: ServedPanel
let config = ''
beforeAll(async () => {
  served = await servePanel(8)
  config = await mkdtemp(join(tmpdir(), 'zonedeck-cli-'))
})
afterAll(async () => {
  await served.close()
  await rm(config, { recursive: true, force: true })
})

interface Said {
  readonly code: number
  readonly out: string
  readonly said: string
}

/** @param answer the input at the terminal; absent if there is no terminal */
async function zonedeck(
  args: readonly string[],
  { answer, env, secret = '', input = '' }: { answer?: string; env?: object; secret?: string; input?: string } = {},
): Promise<Said> {
  const out: string[] = []
  const said: string[] = []
  const code = await run(args, {
    env: { ZONEDECK_URL: served.url, ZONEDECK_TOKEN: served.writeToken, XDG_CONFIG_HOME: config, ...env },
    out: (line) => void out.push(line),
    say: (line) => void said.push(line),
    interactive: answer !== undefined,
    ask: () => Promise.resolve(answer ?? ''),
    read: (file) => (file === '-' ? Promise.resolve(input) : readFile(file, 'utf8')),
    secret: () => Promise.resolve(secret),
  })
  return { code, out: out.join('\n'), said: said.join('\n') }
}

const json = async <T>(...args: string[]) => JSON.parse((await zonedeck([...args, '--json'])).out) as T
const aDomain = async () => (await json<Domain[]>('domains', 'list', '--limit', '1'))[0]?.name ?? ''

test('domains are printed as a table for people and as JSON or CSV for programs, with filters and a limit', async () => {
  const all = await json<Domain[]>('domains', 'list')
  expect(all).toHaveLength(8)
  const { code, out } = await zonedeck(['domains', 'list', '--limit', '3'])
  expect([code, out.split('\n').length, out.split('\n')[0]]).toEqual([0, 4, expect.stringMatching(/^NAME +STATUS +HEALTH/)])
  const csv = (await zonedeck(['domains', 'list', '--csv'])).out.split('\r\n')
  expect(csv).toHaveLength(9)
  expect(csv[0]).toMatch(/^name,status/)
  const name = all[2]?.name ?? ''
  expect((await json<Domain[]>('domains', 'list', '--search', name)).map((domain) => domain.name)).toContain(name)
  expect((await zonedeck(['domains', 'get', name])).out).toContain(name)
  expect((await zonedeck(['accounts', 'list'])).out.split('\n')).toHaveLength(3)
})

test('R-DOM-02 --ip takes one address, a network, or a prefix ending with *; a partial address is rejected', async () => {
  const all = await json<Domain[]>('domains', 'list')
  const address = all[0]?.originIPs[0] ?? ''
  const neighbors = address.replace(/\.\d+$/, '.')
  const names = async (ip: string) => (await json<Domain[]>('domains', 'list', '--ip', ip)).map(({ name }) => name)
  const having = (has: (ip: string) => boolean) => all.filter(({ originIPs }) => originIPs.some(has)).map(({ name }) => name)
  expect(await names(address)).toEqual(having((ip) => ip === address))
  const near = having((ip) => ip.startsWith(neighbors))
  expect([await names(`${neighbors}*`), await names(`${neighbors}0/24`)]).toEqual([near, near])
  expect(await zonedeck(['domains', 'list', '--ip', neighbors])).toMatchObject({
    code: 1,
    out: '',
    said: expect.stringContaining('203.0.113.0/24') as unknown,
  })
})

test('a record is shown before it is added, added only after confirmation, and then deleted', async () => {
  const domain = await aDomain()
  const add = ['dns', 'add', domain, 'A', 'cli-test', '192.0.2.77']
  const records = () => json<DnsRecord[]>('dns', 'list', domain, '--type', 'A')
  const before = await records()
  expect(await zonedeck(add, { answer: 'n' })).toMatchObject({
    code: 0,
    said: expect.stringContaining('+ A cli-test 192.0.2.77') as unknown,
  })
  expect(await zonedeck(add)).toMatchObject({ code: 2, said: expect.stringContaining('--yes') as unknown })
  expect(await records()).toEqual(before)

  expect((await zonedeck(add, { answer: 'y' })).code).toBe(0)
  const made = (await records()).find(({ content }) => content === '192.0.2.77')
  expect(made?.name).toContain('cli-test')
  expect((await zonedeck(['dns', 'delete', domain, made?.id ?? '', '--yes'])).out).toBe('Deleted 1 of 1 record')
  expect((await records()).some(({ id }) => id === made?.id)).toBe(false)
})

test('a bulk operation shows its progress and ends with a summary; a partial failure exits with 3', async () => {
  const domains = await json<Domain[]>('domains', 'list', '--limit', '2')
  const names = domains.map(({ name }) => name)
  const { code, out, said } = await zonedeck(['purge', ...names, '--yes'])
  expect([code, out]).toEqual([0, 'done: updated 2 of 2 domains'])
  expect(said).toContain('[########################] 2/2')

  served.panel.simulator.faults.add({ path: `/zones/${domains[1]?.zoneId}/purge_cache`, effect: { kind: 'forbidden' } })
  const partly = await zonedeck(['purge', ...names, '--yes'])
  expect([partly.code, partly.out]).toEqual([3, 'done: updated 1 of 2 domains'])
  expect(partly.said).toContain(String(names[1]))

  const [latest] = await json<Operation[]>('operations', 'list')
  expect(latest).toMatchObject({ kind: 'purge', done: 1, failed: 1 })
  expect((await zonedeck(['operations', 'watch', latest?.id ?? ''])).code).toBe(3)
})

test('R-ERR-04 an operation with a step that needs attention exits with 3 and names the step and the domain', async () => {
  const [domain] = await json<Domain[]>('domains', 'list', '--limit', '1')
  await zonedeck(['purge', domain?.name ?? '', '--yes'])
  const [latest] = await json<Operation[]>('operations', 'list')
  const { sql } = served.panel.services.db
  await sql`update operation_items set code = 'campaigns_stay' where operation_id = ${latest?.id ?? ''}`
  await sql`update operations set counts = '{"attention": 1}' where id = ${latest?.id ?? ''}`
  const watched = await zonedeck(['operations', 'watch', latest?.id ?? ''])
  expect([watched.code, watched.out]).toEqual([3, 'done: updated 1 of 1 domain, 1 needs attention'])
  expect(watched.said).toContain(`${domain?.name}: The tracker does not report which campaigns use the old domain`)
  const { attention } = await json<{ attention: { domain: string }[] }>('operations', 'watch', latest?.id ?? '')
  expect(attention.map((item) => item.domain)).toEqual([domain?.name])
})

test('R-DNS-04 matching records of many domains are edited after a preview', async () => {
  const domains = await json<Domain[]>('domains', 'list', '--limit', '2')
  const names = domains.map(({ name }) => name)
  const edited = await zonedeck(['dns', 'edit', ...names, '--type', 'a', '--set-comment', 'of {{domain}}', '--yes'])
  expect([edited.code, edited.out]).toEqual([0, 'done: updated 2 of 2 domains'])
  expect(edited.said).toContain('Records of 2 domains would be changed with 4 calls to the provider')
  const records = await json<{ type: string; comment: string | null }[]>('dns', 'list', names[0] ?? '', '--type', 'A')
  expect(new Set(records.map(({ type }) => type))).toEqual(new Set(['A']))
  expect(await zonedeck(['dns', 'edit', ...names, '--set-proxied', 'maybe', '--yes'])).toMatchObject({ code: 2 })
  expect(await zonedeck(['dns', 'edit', ...names, '--set-ttl', '300', '--yes'])).toMatchObject({ code: 1 })
})

test('R-DNS-04 each of many domains gets a record with its own value from a file', async () => {
  const domains = await json<Domain[]>('domains', 'list', '--limit', '2')
  const file = join(await mkdtemp(join(tmpdir(), 'zonedeck-values-')), 'values.csv')
  await writeFile(file, domains.map(({ name }, index) => `${name};token-${index};x\n`).join(''))
  const set = await zonedeck(['dns', 'set', 'TXT', '_verify', 'site={{value}}', '--values', file, '--yes'])
  expect([set.code, set.out]).toEqual([0, 'done: updated 2 of 2 domains'])
  for (const [index, { name }] of domains.entries()) {
    const records = await json<{ name: string; content: string }[]>('dns', 'list', name, '--type', 'TXT')
    expect(records.find((record) => record.name.startsWith('_verify'))?.content.replaceAll('"', '')).toBe(`site=token-${index};x`)
  }
  await writeFile(file, 'no value here\n')
  expect(await zonedeck(['dns', 'set', 'TXT', '_verify', '{{value}}', '--values', file, '--yes'])).toMatchObject({
    code: 2,
    said: expect.stringContaining('line 1') as unknown,
  })
  expect(await zonedeck(['dns', 'set', 'TXT', '_verify', 'x', '--yes'])).toMatchObject({ code: 2 })
})

test.each<[string, string[], object, number, RegExp]>([
  ['no command', [], {}, 2, /domains list/],
  ['an unknown command', ['domains', 'explode'], {}, 2, /unknown command "domains explode"/],
  ['a misspelt command', ['domain', 'list'], {}, 2, /did you mean "domains list"/],
  ['a misspelt command of one word', ['prge', 'example.com'], {}, 2, /did you mean "purge"/],
  ['a group of commands', ['operations'], {}, 2, /the commands are operations list, operations watch/],
  ['help for an unknown command', ['help', 'explode'], {}, 2, /unknown command "explode"/],
  ['an unknown option', ['domains', 'list', '--nonsense'], {}, 2, /--nonsense/],
  ['a misspelt option', ['domains', 'list', '--stauts', 'active'], {}, 2, /did you mean --status/],
  ['an option without its value', ['domains', 'list', '--status'], {}, 2, /--status/],
  ['a command named like an object property', ['constructor'], {}, 2, /unknown command "constructor"/],
  ['a command named __proto__', ['__proto__', 'x'], {}, 2, /unknown command "__proto__ x"/],
  ['an extra argument after a list', ['domains', 'list', 'critical'], {}, 2, /^usage: zonedeck domains list$/],
  ['an extra argument after a change', ['dns', 'add', '%', 'A', 'x', '192.0.2.9', 'junk', '--yes'], {}, 2, /DOMAIN TYPE NAME CONTENT/],
  ['a missing argument', ['operations', 'watch'], {}, 2, /operations watch ID/],
  ['an option of another command', ['domains', 'list', '--type', 'A'], {}, 2, /has no option --type/],
  ['an option without effect', ['accounts', 'list', '--yes'], {}, 2, /has no option --yes/],
  ['a fractional limit', ['domains', 'list', '--limit', '1.5'], {}, 2, /--limit must be an integer of at least 1/],
  ['a limit of zero', ['operations', 'list', '--limit', '0'], {}, 2, /--limit must be an integer of at least 1/],
  ['two output formats together', ['domains', 'list', '--json', '--csv'], {}, 2, /either/],
  ['a domain that does not exist', ['dns', 'list', 'no-such.example'], {}, 2, /no-such\.example/],
  ['a rejected filter', ['domains', 'list', '--status', 'nonsense'], {}, 2, /accepted values: active, pending, error, initializing/],
  ['a rejected record', ['dns', 'add', '%', 'A', 'x', 'nowhere', '--yes'], {}, 1, /content/],
  ['an unreachable server', ['domains', 'list'], { ZONEDECK_URL: 'http://127.0.0.1:9' }, 1, /unreachable/],
  ['an invalid panel URL', ['domains', 'list'], { ZONEDECK_URL: 'nonsense' }, 2, /"nonsense" is not a panel URL/],
  ['a malformed token', ['domains', 'list'], { ZONEDECK_TOKEN: 'zd_wrong-token\n' }, 1, /the token contains invalid characters/],
  ['a wrong token', ['domains', 'list'], { ZONEDECK_TOKEN: 'zd_wrong-token' }, 1, /unauthorized: The token is missing, invalid/],
  ['an unknown call', ['api', 'call', 'groups.explode'], {}, 2, /unknown call "groups.explode"/],
  ['a misspelt call', ['api', 'describe', 'operations.bulk'], {}, 2, /did you mean operations.bulkCreate/],
  ['an unknown path', ['api', 'call', 'GET', '/nowhere'], {}, 2, /unknown call GET \/nowhere/],
  ['an unknown field', ['api', 'call', 'domains.live', 'staus=active'], {}, 2, /does not accept staus; it accepts search, /],
  ['a missing field', ['api', 'call', 'groups.create', '--yes'], {}, 2, /groups.create requires name/],
  ['an argument that is not a field', ['api', 'call', 'domains.live', 'active'], {}, 2, /"active" is not in the form NAME=VALUE/],
  ['a call without a preview', ['api', 'call', 'groups.create', 'name=x', '--preview'], {}, 2, /no preview/],
  [
    'a wrong token of a call',
    ['api', 'call', 'groups.list'],
    { ZONEDECK_TOKEN: 'zd_wrong-token' },
    1,
    /unauthorized: The token is invalid/,
  ],
  ['a rejected call', ['api', 'call', 'groups.create', 'name=x', 'icon=skull', '--yes'], {}, 1, /icon: Accepted values: /],
  ['no panel configured', ['domains', 'list'], { ZONEDECK_URL: '', ZONEDECK_TOKEN: '' }, 2, /zonedeck login/],
])('%s is reported in plain words with its own exit code', async (_, args, env, code, message) => {
  const domain = await aDomain()
  const answer = await zonedeck(
    args.map((arg) => (arg === '%' ? domain : arg)),
    { env },
  )
  expect([answer.code, answer.said]).toEqual([code, expect.stringMatching(message)])
  expect(answer.said).not.toMatch(/\n\s+at |zd_wrong-token/)
})

test('a saved login is readable only by its user, valid only for its own panel, and never prints the token', async () => {
  const none = { ZONEDECK_URL: '', ZONEDECK_TOKEN: '' }
  expect(await zonedeck(['login', '--url', served.url], { env: none, secret: 'zd_wrong' })).toMatchObject({ code: 1 })
  const { code, out, said } = await zonedeck(['login', '--url', served.url], { env: none, secret: `${served.readToken}\n` })
  expect([code, out]).toEqual([0, expect.stringContaining(served.owner.user.username)])
  expect(out + said).not.toContain(served.readToken)
  const { mode } = await stat(join(config, 'zonedeck/login.json'))
  expect(mode & 0o777).toBe(0o600)
  expect((await zonedeck(['accounts', 'list'], { env: none })).code).toBe(0)
  expect((await zonedeck(['accounts', 'list'], { env: { ...none, ZONEDECK_URL: 'http://127.0.0.1:9' } })).code).toBe(2)
  await zonedeck(['logout'], { env: none })
  expect((await zonedeck(['accounts', 'list'], { env: none })).code).toBe(2)
})

test('a corrupt saved login does not affect commands with a token, and is reported with its path otherwise', async () => {
  const file = join(config, 'zonedeck/login.json')
  await mkdir(join(config, 'zonedeck'), { recursive: true })
  for (const broken of ['{bad', '[]x', 'null', '{"url":1}']) {
    await writeFile(file, broken)
    expect((await zonedeck(['accounts', 'list'])).code).toBe(0)
    const { code, said } = await zonedeck(['accounts', 'list'], { env: { ZONEDECK_TOKEN: '' } })
    expect([code, said]).toEqual([1, expect.stringContaining(file)])
  }
  await zonedeck(['logout'])
})

test('a single item is counted in the singular, a domain can be printed as CSV, and a truncated list says so', async () => {
  const domain = await aDomain()
  for (const _ of [1, 2]) {
    expect(await zonedeck(['purge', domain, '--yes'])).toMatchObject({
      code: 0,
      out: 'done: updated 1 of 1 domain',
      said: expect.stringContaining('The cache of 1 domain would be purged with 1 call to the provider') as unknown,
    })
  }
  const csv = (await zonedeck(['domains', 'get', domain, '--csv'])).out.split('\r\n')
  expect([csv.length, csv[0], csv[1]]).toEqual([2, expect.stringMatching(/^name,status/), expect.stringContaining(`${domain},`)])
  const few = await zonedeck(['operations', 'list', '--limit', '1'])
  expect([few.out.split('\n').length, few.said]).toEqual([2, expect.stringContaining('Showing the first 1;')])
  expect((await zonedeck(['operations', 'list'])).said).toBe('')
})

test('operations are filtered by kind and by failures, and each is described', async () => {
  const all = await json<Operation[]>('operations', 'list')
  const failed = all.filter((operation) => operation.failed > 0)
  expect(failed.length).toBeGreaterThan(0)
  expect(failed.length).toBeLessThan(all.length)
  expect(await json<Operation[]>('operations', 'list', '--failed')).toEqual(failed)
  expect(await json<Operation[]>('operations', 'list', '--kind', 'dns_edit')).toEqual(all.filter(({ kind }) => kind === 'dns_edit'))
  expect(await json<Operation[]>('operations', 'list', '--by', all[0]?.ownerId ?? '')).toEqual(all)
  const lines = (await zonedeck(['operations', 'list', '--csv'])).out.split('\r\n')
  expect(lines).toContainEqual(expect.stringContaining(',purge,Purge cache,'))
  expect(lines.filter((line) => /^[^,]+,[^,]+,,/.test(line))).toEqual([])
})

test('a value that an option does not accept is wrong usage, and the accepted ones are listed', async () => {
  const domain = await aDomain()
  const wrong: [string[], string][] = [
    [['domains', 'list', '--status', 'gone'], 'active, pending, error, initializing'],
    [['domains', 'list', '--health', 'good'], 'ok, warnings, critical, unknown'],
    [['domains', 'list', '--ssl', 'best'], 'off, flexible, full, strict, origin_pull, on'],
    [['operations', 'list', '--kind', 'nothing'], 'settings, ip, dns_add'],
    [['dns', 'list', domain, '--type', 'AA'], 'A, AAAA, CAA'],
    [['dns', 'edit', domain, '--type', 'AA', '--set-ttl', '300'], 'A, AAAA, CAA'],
    [['dns', 'edit', domain, '--set-proxied', 'maybe'], 'on, off'],
    [['dns', 'add', domain, 'AA', 'www', '192.0.2.1'], 'A, AAAA, CAA'],
    [['dns', 'set', 'AA', 'www', '192.0.2.1', domain], 'A, AAAA, CAA'],
  ]
  for (const [args, accepted] of wrong) {
    const { code, out, said } = await zonedeck(args)
    expect([args, code, out]).toEqual([args, 2, ''])
    expect(said).toContain(`accepted values: ${accepted}`)
  }
  const active = await json<Domain[]>('domains', 'list', '--status', 'active')
  expect(await json<Domain[]>('domains', 'list', '--status', 'Active')).toEqual(active)
  expect(await json<DnsRecord[]>('dns', 'list', domain, '--type', 'a')).toEqual(
    await json<DnsRecord[]>('dns', 'list', domain, '--type', 'A'),
  )
})

test('every command and every option has a description', () => {
  for (const [name, command] of commands) {
    expect([name, command.about]).toEqual([name, expect.stringMatching(/\w{3}/)])
    for (const option of command.options) expect([option, options[option].help]).toEqual([option, expect.stringMatching(/\w{3}/)])
  }
})

test('a purge that is denied, declined or not confirmed leaves no draft behind', async () => {
  const domain = await aDomain()
  const drafts = async () => {
    const [row] = await served.panel.services.db.sql<{ n: number }[]>`select count(*)::int as n from operations where state = 'draft'`
    return row?.n
  }
  const before = await drafts()
  expect(await zonedeck(['purge', domain, '--yes'], { env: { ZONEDECK_TOKEN: served.readToken } })).toMatchObject({
    code: 1,
    said: expect.stringContaining('read_only_token') as unknown,
  })
  expect((await zonedeck(['purge', domain])).code).toBe(2)
  expect((await zonedeck(['purge', domain], { answer: 'n' })).code).toBe(0)
  expect(await drafts()).toBe(before)
})

test('a profile is previewed, applied by filter and detached', async () => {
  const { services, simulator } = served.panel
  const create = (call: string, ...fields: string[]) =>
    zonedeck(['api', 'call', call, ...fields, '--input', '-', '--yes'], { input: given })
  const rule = { key: 'block', phase: 'http_request_firewall_custom', expression: '(http.host eq "{{domain}}")', action: 'block' }
  const given = JSON.stringify({ name: 'Edge', settings: {}, records: [], rules: [rule] })
  expect((await create('profiles.create')).code).toBe(0)
  expect((await zonedeck(['profiles', 'list'])).out).toMatch(/Edge +0 +0 +1 +1 +0/)
  const domain = await aDomain()

  simulator.journal.reset()
  const preview = await zonedeck(['profiles', 'apply', 'edge', domain, '--preview'])
  expect([preview.code, preview.out]).toEqual([0, expect.stringContaining(domain)])
  expect(simulator.journal.count({ method: 'POST' })).toBe(0)
  const [row] = await services.db.sql<{ n: number }[]>`select count(*)::int as n from operations where state = 'draft'`
  expect(row?.n).toBe(0)

  expect(await zonedeck(['profiles', 'apply', 'Edge', '--search', domain, '--verify', '--yes'])).toMatchObject({
    code: 0,
    out: 'done: updated 1 of 1 domain',
  })
  expect((await zonedeck(['profiles', 'list'])).out).toMatch(/Edge +0 +0 +1 +1 +1/)
  expect((await zonedeck(['profiles', 'detach', domain, '--yes'])).code).toBe(0)
  expect((await zonedeck(['profiles', 'list'])).out).toMatch(/Edge +0 +0 +1 +1 +0/)

  expect((await zonedeck(['profiles', 'apply', 'nothing', domain])).said).toContain('profile nothing not found')
  expect((await zonedeck(['profiles', 'apply', 'Edge'])).said).toContain('specify the domains, or a filter')
  expect((await zonedeck(['profiles', 'apply', 'Edge', domain, '--search', 'x'])).said).toContain('not both')
})

test('redirects are imported from a file after a preview, listed, exported and tested', async () => {
  const { simulator } = served.panel
  const domain = await aDomain()
  const { account } = await json<Domain>('domains', 'get', domain)
  const file = `source_url,target_url\n${domain}/old,https://new.example/\n${domain}/x,nowhere\nelse.example/,https://new.example/\n`
  const load = (input: string, ...more: string[]) => zonedeck(['redirects', 'import', account.email, '-', ...more], { input })
  const changes = () => simulator.journal.count({ method: 'POST' }) + simulator.journal.count({ method: 'DELETE' })

  const before = changes()
  const preview = await load(file, '--preview')
  expect(preview).toMatchObject({ code: 0, out: expect.stringContaining(`${domain}/old`) as unknown })
  expect(preview.said).toMatch(/line 3 is ignored: \w.*\n.*else\.example\/ is not in the account/)
  expect(preview.said).toContain('2 added, 0 changed, 0 removed, 0 unchanged')
  expect(await load(file)).toMatchObject({ code: 2, said: expect.stringContaining('--yes') as unknown })
  expect(changes()).toBe(before)

  // The redirects of lines that cannot be read would be removed.
  const refused = (text: string) => ({ code: 1, said: expect.stringContaining(text) as unknown })
  expect(await load(file, '--replace', '--yes')).toMatchObject(refused('1 line of the file cannot be read'))
  expect(changes()).toBe(before)

  simulator.state.listOperationMs = 20
  expect(await load(file, '--yes')).toMatchObject({ code: 3, out: 'done: updated 1 of 1 item' })
  const listed = await zonedeck(['redirects', 'list', account.email.toUpperCase(), '--search', '/old'])
  expect(listed.out).toMatch(new RegExp(`${domain}/old +https://new.example/ +301`))
  const exported = await zonedeck(['redirects', 'export', account.email])
  expect(exported.out.split(/\r?\n/)).toEqual([
    expect.stringMatching(/^source_url,target_url/),
    expect.stringContaining(`${domain}/old,https://new.example/,301`),
    expect.stringContaining('else.example/'),
  ])
  expect(await load(exported.out, '--yes')).toMatchObject({ code: 0, out: 'No change' })
  expect(await load('source_url,target_url', '--replace', '--yes')).toMatchObject(refused('the file has no redirects'))
  expect(await load(`${domain}/old,https://newer.example/`, '--replace', '--yes')).toMatchObject({
    code: 0,
    said: expect.stringContaining('0 added, 1 changed, 1 removed, 0 unchanged') as unknown,
  })
  const ending = await zonedeck(['redirects', 'test', account.email, `https://${domain}/old`])
  expect(ending.out.split('\n')).toEqual([
    expect.stringContaining(`301 by ${domain}/old in list zonedeck_redirects`),
    'https://newer.example/',
  ])
  expect((await zonedeck(['redirects', 'list', 'nobody@example.com'])).said).toContain('account nobody@example.com not found')
})

test('a name in two accounts is ambiguous: both are listed, and the id selects one', async () => {
  const name = 'stands-in-two.com'
  // Added directly at Cloudflare, because the panel adds no duplicate.
  for (const index of [0, 1]) {
    const { email, globalKey } = served.panel.credential(index)
    const { status } = await fetch(`${served.panel.simulator.url}/zones`, {
      method: 'POST',
      headers: { 'x-auth-email': email, 'x-auth-key': globalKey, 'content-type': 'application/json' },
      body: JSON.stringify({ name }),
    })
    expect(status).toBe(200)
  }
  await served.owner.call.accounts.requestSync({})
  await expect.poll(() => json<Domain[]>('domains', 'list', '--search', name)).toHaveLength(2)
  const made = await json<Domain[]>('domains', 'list', '--search', name)
  expect(new Set(made.map(({ account }) => account.email)).size).toBe(2)
  const wrong = [
    ['purge', name, '--yes'],
    ['dns', 'list', name],
    ['domains', 'get', name],
  ]
  for (const args of wrong) {
    const { code, said } = await zonedeck(args)
    expect(code).toBe(2)
    for (const { id, account } of made) expect(said).toMatch(new RegExp(`${id} .*${account.email}`))
  }
  for (const { id } of made) expect((await zonedeck(['domains', 'get', id, '--csv'])).out).toContain(id)
})

test('every command in the README does what it says', async () => {
  const readme = await readFile(join(import.meta.dirname, 'README.md'), 'utf8')
  const lines = [...readme.matchAll(/^npx zonedeck (.+)$/gm)].map(([, line = '']) => line)
  expect(lines.length).toBeGreaterThan(2)
  const domain = await aDomain()
  expect((await zonedeck(['purge', domain, '--yes'])).code).toBe(0)
  const [latest] = await json<Operation[]>('operations', 'list')
  const tokens = join(await mkdtemp(join(tmpdir(), 'zonedeck-readme-')), 'tokens.csv')
  await writeFile(tokens, `${domain};abc\n`)
  const meant: Readonly<Record<string, string>> = { 'example.com': domain, 'tokens.csv': tokens }
  for (const line of lines) {
    const words = line.replace(/ # .*/, '').match(/"[^"]*"|\S+/g) ?? []
    const args = words.map((word) => word.replaceAll('"', '')).map((arg) => meant[arg] ?? (arg.endsWith('…') ? (latest?.id ?? '') : arg))
    expect({ line, code: (await zonedeck(args, { answer: 'y' })).code }).toEqual({ line, code: 0 })
  }
})

test('as a process: lists go to standard output, prompts and messages to standard error', async () => {
  const program = fileURLToPath(new URL('src/cli/main.ts', import.meta.url))
  const env = { PATH: process.env['PATH'], ZONEDECK_URL: served.url, ZONEDECK_TOKEN: served.readToken }
  const child = spawn(process.execPath, [program, 'dns', 'add', await aDomain(), 'A', 'x', '192.0.2.1', '--yes'], {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const ended = new Promise((resolve) => void child.once('exit', resolve))
  const [out, said] = await Promise.all([text(child.stdout), text(child.stderr)])
  expect([await ended, out]).toEqual([1, ''])
  expect(said).toContain('read_only_token')
})

test('as a process: a closed output pipe ends it quietly', async () => {
  const program = fileURLToPath(new URL('src/cli/main.ts', import.meta.url))
  const env = { PATH: process.env['PATH'], ZONEDECK_URL: served.url, ZONEDECK_TOKEN: served.readToken }
  const child = spawn(process.execPath, [program, 'domains', 'list', '--json'], { env, stdio: ['ignore', 'pipe', 'pipe'] })
  child.stdout.destroy()
  const ended = new Promise((resolve) => void child.once('exit', resolve))
  expect([await text(child.stderr), await ended]).toEqual(['', 0])
})

test('--version is the version of the panel it was built with; --help lists every command, or the options of one', async () => {
  const { version } = JSON.parse(await readFile(join(import.meta.dirname, '../package.json'), 'utf8')) as { version: string }
  expect(await zonedeck(['--version'])).toEqual({ code: 0, out: version, said: '' })
  const { code, out } = await zonedeck(['--help'], { env: { ZONEDECK_URL: '', ZONEDECK_TOKEN: '' } })
  expect(code).toBe(0)
  for (const name of commands.keys()) {
    expect(out).toContain(`\n  ${name}`)
    const own = await zonedeck([...name.split(' '), '--help'])
    expect([own.code, own.out]).toEqual([0, expect.stringContaining(`zonedeck ${name}`) as unknown])
    expect((await zonedeck(['help', ...name.split(' ')])).out).toBe(own.out)
  }
  for (const group of ['domains', 'dns', 'operations', 'accounts', 'api']) {
    const asked = await zonedeck([group, '--help'])
    expect(asked.code).toBe(0)
    for (const name of commands.keys()) expect(asked.out.includes(`\n  ${name} `)).toBe(name.startsWith(`${group} `))
    expect((await zonedeck(['help', group])).out).toBe(asked.out)
  }
  expect((await zonedeck(['domains', 'list', '--help'])).out).toMatch(/--ip ADDRESS .*203\.0\.113\.0\/24/)
})

describe('any API call', () => {
  const groups = async () =>
    (await json<{ groups: { id: string; name: string; description: string | null }[] }>('api', 'call', 'groups.list')).groups

  test('is found by words and described with examples', async () => {
    expect((await zonedeck(['api', 'list', 'incident', 'mute'])).out).toMatch(/alerts\.mute .*POST .*\/incidents\/\{id\}\/mute/)
    const { out } = await zonedeck(['api', 'describe', 'PATCH', '/zones/{id}/settings'])
    expect(out).toMatch(
      /^zoneSettings\.update: [\s\S]*PATCH \/api\/zones\/\{id\}\/settings[\s\S]*ssl: off \| flexible[\s\S]*curl -X PATCH[\s\S]*await panel\.zoneSettings\.update/,
    )
  })

  test('reads are answered by name or by path, with typed fields', async () => {
    const live = await json<{ data: Domain[] }>('api', 'call', 'domains.live', 'limit=2', 'status=active')
    expect(live.data).toHaveLength(2)
    const [domain] = live.data
    const { zone } = await json<{ zone: Domain }>('api', 'call', 'GET', `/api/zones/${domain?.id}`)
    expect(zone.name).toBe(domain?.name)
    expect((await json<{ data: Domain[] }>('api', 'call', 'GET', '/zones/live?limit=1')).data).toHaveLength(1)
    const csv = await zonedeck(['api', 'call', 'activity.export', 'format=csv'])
    expect([csv.code, csv.out]).toEqual([0, expect.stringContaining('time,actor') as unknown])
  })

  test('a write is shown and confirmed first, and takes JSON from a file or standard input', async () => {
    const make = ['api', 'call', 'groups.create', 'name=Made here', 'description=a=b']
    const asked = await zonedeck(make, { answer: 'n' })
    expect([asked.code, asked.said]).toEqual([0, expect.stringMatching(/^POST \/api\/groups\n\{[\s\S]*"Made here"/) as unknown])
    expect((await zonedeck(make)).code).toBe(2)
    expect(await groups()).toEqual([])
    expect((await zonedeck(make, { answer: 'y' })).code).toBe(0)
    const [made] = await groups()
    expect(made).toMatchObject({ name: 'Made here', description: 'a=b' })
    const input = JSON.stringify({ name: 'Renamed' })
    expect((await zonedeck(['api', 'call', 'PATCH', `/groups/${made?.id}`, '--input', '-', '--yes'], { input })).code).toBe(0)
    expect(await groups()).toMatchObject([{ name: 'Renamed' }])
    expect((await zonedeck(['api', 'call', 'groups.remove', `id=${made?.id}`, '--yes'])).code).toBe(0)
    expect(await groups()).toEqual([])
    expect(await zonedeck(['api', 'call', 'groups.create', '--input', '-', '--yes'], { input: '[' })).toMatchObject({
      code: 2,
      said: expect.stringContaining('is not valid JSON') as unknown,
    })
  })

  test('a call with a preview shows it first; for many domains the shown draft is what runs, and a declined one is removed', async () => {
    const drafts = async () =>
      (await served.panel.services.db.sql<{ n: number }[]>`select count(*)::int as n from operations where state = 'draft'`)[0]?.n
    const [domain] = await json<Domain[]>('domains', 'list', '--limit', '1')
    const tls = async () =>
      (await json<{ settings: { minTlsVersion: string } }>('api', 'call', 'domains.settings', `id=${domain?.id}`)).settings.minTlsVersion
    const before = [await tls(), await drafts()]
    const one = ['api', 'call', 'PATCH', `/zones/${domain?.id}/settings`, 'minTlsVersion=1.3']
    expect((await zonedeck([...one, '--preview'])).out).toMatch(/"before"[\s\S]*"after"/)
    const many = ['api', 'call', 'operations.bulkSettings', `ids=${domain?.id}`, 'settings.minTlsVersion=1.3']
    expect((await zonedeck([...many, '--preview'])).out).toContain('"draft"')
    expect((await zonedeck(many, { answer: 'n' })).code).toBe(0)
    expect([await tls(), await drafts()]).toEqual(before)
    const done = await zonedeck([...many, '--wait'], { answer: 'y' })
    expect([done.code, done.out, await tls()]).toEqual([0, 'done: updated 1 of 1 domain', '1.3'])
    expect(await drafts()).toBe(before[1])
  })

  test('every call of the OpenAPI document can be made from the command line', async () => {
    const document = (await (await fetch(`${served.url}/api/openapi.json`)).json()) as OpenApiDocument
    const known = new Set((await json<{ method: string; path: string }[]>('api', 'list')).map(({ method, path }) => `${method} ${path}`))
    const missing: string[] = []
    const calls = callsOf(document)
    for (const call of calls) {
      const needed = [...call.parameters.filter(({ required }) => required).map(({ name }) => name), ...(call.body?.required ?? [])]
      const request = arrange(call, Object.fromEntries(needed.map((name) => [name, 'x'])))
      const path = call.path.replaceAll(/\{\w+\}/g, 'x')
      if (request.path.split('?')[0] !== path || matchPath(calls, call.method, path)?.call.name !== call.name) missing.push(call.name)
      if (!known.has(`${call.method} ${call.path}`) || (await zonedeck(['api', 'describe', call.name])).code !== 0) missing.push(call.name)
    }
    expect(missing).toEqual([])
    expect(known.size).toBeGreaterThan(180)
  }, 180_000)
})
