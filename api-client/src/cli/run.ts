import { parseArgs } from 'node:util'
import { ZonedeckError } from '../errors.ts'
import { createPanel } from '../panel.ts'
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
  operations list [--active]
  operations watch ID
  accounts list
  mcp                                     serves an assistant over standard input and output

  --json, --csv    for programs           --yes   does what was shown without asking

ZONEDECK_URL and ZONEDECK_TOKEN come before what \`login\` kept.
Ends with 0; 1: it failed; 2: it was called wrongly; 3: a part of it failed.`

const commands: Readonly<Record<string, Command>> = {
  'domains list': listDomains,
  'domains get': getDomain,
  'dns list': listRecords,
  'dns add': addRecord,
  'dns delete': deleteRecords,
  'operations list': listOperations,
  'operations watch': watchOperation,
  'accounts list': listAccounts,
  purge,
}

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

async function login(io: Io, given: string | undefined): Promise<ExitCode> {
  const url = given ?? (io.env['ZONEDECK_URL'] || (io.interactive ? await io.ask('Where is the panel? ') : ''))
  if (!URL.canParse(url)) throw new UsageError('login --url https://panel.example.com')
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
  if (first === 'login') return login(io, values.url)
  if (first === 'logout') {
    await forgetSettings(io.env)
    return 0
  }
  const name = commands[first] === undefined && first !== 'mcp' ? `${first} ${second}` : first
  const command = commands[name]
  if (command === undefined && name !== 'mcp') throw new UsageError(`there is no command "${name.trim()}"; zonedeck --help names them`)
  const settings = await readSettings(io.env)
  if (settings === null) throw new UsageError('say where the panel is: ZONEDECK_URL and ZONEDECK_TOKEN, or zonedeck login')
  const panel = createPanel(settings)
  if (command === undefined) {
    const { serve } = await import('../mcp/serve.ts')
    await serve(panel)
    return 0
  }
  const format: Format = values.json === true ? 'json' : values.csv === true ? 'csv' : 'table'
  return command({ panel, io, format, names: positionals.slice(name.split(' ').length), options: values })
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
