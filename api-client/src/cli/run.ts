import { parseArgs } from 'node:util'
import { ZonedeckError } from '../errors.ts'
import { createPanel } from '../panel.ts'
import { isAddress } from '../wire.ts'
import { addRecord, deleteRecords, listRecords, purge } from './changes.ts'
import { UsageError } from './context.ts'
import type { Command, ExitCode, Io } from './context.ts'
import { getDomain, listAccounts, listDomains } from './domains.ts'
import { listOperations, watchOperation } from './operations.ts'
import type { Format } from './print.ts'
import { forgetSettings, keepSettings, readSettings } from './settings.ts'

const help = `zonedeck: a panel for many Cloudflare accounts, from the command line

  login [--url URL]                       asks for an API token and keeps it for you alone
  logout                                  forgets it
  domains list [--search --status --health --ssl --ip --email --limit]
  domains get DOMAIN
  dns list DOMAIN [--type TYPE]
  dns add DOMAIN TYPE NAME CONTENT [--ttl N] [--priority N] [--proxied]
  dns delete DOMAIN RECORD-ID…
  purge DOMAIN…                           empties the cache
  operations list [--active] [--limit]    the newest 50, or so many
  operations watch ID
  accounts list
  mcp                                     serves an assistant over standard input and output

  --json, --csv    for programs           --yes   does what was shown without asking

ZONEDECK_URL and ZONEDECK_TOKEN come before what \`login\` kept.
Ends with 0; 1: it failed; 2: it was called wrongly; 3: a part of it failed.`

const text = { type: 'string' } as const
const flag = { type: 'boolean' } as const
const options = {
  search: text,
  status: text,
  health: text,
  ssl: text,
  ip: text,
  email: text,
  limit: text,
  type: text,
  ttl: text,
  priority: text,
  url: text,
  proxied: flag,
  active: flag,
  json: flag,
  csv: flag,
  yes: flag,
  help: flag,
} as const

interface Described {
  readonly run: Command
  /** What has to stand behind the command's name; of one that ends with `…` there may be several. */
  readonly names: readonly string[]
  readonly options: readonly (keyof typeof options)[]
}

const mcp: Command = async ({ panel }) => {
  const { serve } = await import('../mcp/serve.ts')
  await serve(panel)
  return 0
}

const lists = ['json', 'csv'] as const
const commands: ReadonlyMap<string, Described> = new Map([
  ['domains list', { run: listDomains, names: [], options: [...lists, 'search', 'status', 'health', 'ssl', 'ip', 'email', 'limit'] }],
  ['domains get', { run: getDomain, names: ['DOMAIN'], options: lists }],
  ['dns list', { run: listRecords, names: ['DOMAIN'], options: [...lists, 'type'] }],
  ['dns add', { run: addRecord, names: ['DOMAIN', 'TYPE', 'NAME', 'CONTENT'], options: ['json', 'yes', 'ttl', 'priority', 'proxied'] }],
  ['dns delete', { run: deleteRecords, names: ['DOMAIN', 'RECORD-ID…'], options: ['yes'] }],
  ['purge', { run: purge, names: ['DOMAIN…'], options: ['json', 'yes'] }],
  ['operations list', { run: listOperations, names: [], options: [...lists, 'active', 'limit'] }],
  ['operations watch', { run: watchOperation, names: ['ID'], options: ['json'] }],
  ['accounts list', { run: listAccounts, names: [], options: lists }],
  ['mcp', { run: mcp, names: [], options: [] }],
])

/** What needs no panel that is known already. */
const beginnings: ReadonlyMap<string, Pick<Described, 'names' | 'options'>> = new Map([
  ['login', { names: [], options: ['url'] }],
  ['logout', { names: [], options: [] }],
])

async function login(io: Io, given: string | undefined): Promise<ExitCode> {
  const url = given ?? (io.env['ZONEDECK_URL'] || (io.interactive ? await io.ask('Where is the panel? ') : ''))
  if (!isAddress(url)) throw new UsageError('login --url https://panel.example.com')
  const token = (await io.secret('API token (Settings, API tokens): ')).trim()
  if (token === '') throw new UsageError('no token was given')
  const { user } = await createPanel({ url, token }).auth.me()
  const file = await keepSettings(io.env, { url, token })
  io.out(`You are ${user.username} at ${url}; kept in ${file}`)
  return 0
}

function read(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true })
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error))
  }
}

/** @throws UsageError for what the command would have to overlook */
function requireTaken(
  name: string,
  taken: Pick<Described, 'names' | 'options'>,
  names: readonly string[],
  values: Readonly<Record<string, unknown>>,
): void {
  const many = taken.names.at(-1)?.endsWith('…') === true
  if (names.length < taken.names.length || (names.length > taken.names.length && !many)) {
    throw new UsageError(`it is called so: zonedeck ${[name, ...taken.names].join(' ')}`)
  }
  const strange = Object.keys(values).find((option) => !taken.options.some((known) => known === option))
  if (strange !== undefined) throw new UsageError(`zonedeck ${name} takes no --${strange}`)
  if (values['json'] === true && values['csv'] === true) throw new UsageError('say either --json or --csv')
}

async function perform(args: readonly string[], io: Io): Promise<ExitCode> {
  const { values, positionals } = read(args)
  if (values.help === true || positionals[0] === 'help') {
    io.out(help)
    return 0
  }
  if (positionals.length === 0) {
    io.say(help)
    return 2
  }
  const [first = '', second = ''] = positionals
  const name = [first, `${first} ${second}`].find((each) => commands.has(each) || beginnings.has(each))
  const command = name === undefined ? undefined : commands.get(name)
  const taken = command ?? beginnings.get(name ?? '')
  if (name === undefined || taken === undefined) {
    throw new UsageError(`there is no command "${`${first} ${second}`.trim()}"; zonedeck --help names them`)
  }
  const names = positionals.slice(name.split(' ').length)
  requireTaken(name, taken, names, values)
  if (name === 'login') return login(io, values.url)
  if (command === undefined) {
    await forgetSettings(io.env)
    return 0
  }
  const settings = await readSettings(io.env)
  if (settings === null) throw new UsageError('say where the panel is: ZONEDECK_URL and ZONEDECK_TOKEN, or zonedeck login')
  if (!isAddress(settings.url)) throw new UsageError(`"${settings.url}" is no address of a panel: https://panel.example.com`)
  const format: Format = values.json === true ? 'json' : values.csv === true ? 'csv' : 'table'
  return command.run({ panel: createPanel(settings), io, format, names, options: values })
}

/** A command from its arguments to its exit code; what goes wrong is told in a line, without a stack. */
export async function run(args: readonly string[], io: Io): Promise<ExitCode> {
  try {
    return await perform(args, io)
  } catch (error) {
    if (error instanceof ZonedeckError) {
      io.say(`${error.code}: ${error.message}`)
      for (const { path, message } of error.issues) io.say(`  ${path}: ${message}`)
      if (error.provider !== null) io.say(`  the provider says: ${error.provider.message}`)
    } else io.say(error instanceof Error ? error.message : String(error))
    return error instanceof UsageError ? 2 : 1
  }
}
