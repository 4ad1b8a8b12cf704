import { parseArgs } from 'node:util'
import { ZonedeckError } from '../errors.ts'
import { isAddress } from '../http.ts'
import { createPanel } from '../panel.ts'
import { version } from '../procedures.gen.ts'
import { createRest } from '../rest/rest.ts'
import { commands, help, helpOf, helpOfGroup, options } from './commands.ts'
import type { Described, OptionName } from './commands.ts'
import { choiceOf, UsageError } from './context.ts'
import type { ExitCode, Io } from './context.ts'
import type { Format } from './print.ts'
import { forgetSettings, keepSettings, readSettings } from './settings.ts'
import { closest } from './closest.ts'

async function login(io: Io, given: string | undefined): Promise<ExitCode> {
  const url = given ?? (io.env['ZONEDECK_URL'] || (io.interactive ? await io.ask('Panel URL: ') : ''))
  if (!isAddress(url)) throw new UsageError('login --url https://panel.example.com')
  const token = (await io.secret('API token (My profile, API tokens): ')).trim()
  if (token === '') throw new UsageError('no token entered')
  const { user } = await createPanel({ url, token }).auth.me()
  const file = await keepSettings(io.env, { url, token })
  io.out(`Signed in as ${user.username} at ${url}; token saved in ${file}`)
  return 0
}

function read(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true })
  } catch (error) {
    const [, unknown] = /'(-[^']*)'/.exec(error instanceof Error ? error.message : '') ?? []
    const near = unknown === undefined ? undefined : closest(unknown.replace(/^-+/, ''), Object.keys(options))
    const text = error instanceof Error ? (error.message.split('. ')[0] ?? '') : String(error)
    throw new UsageError(near === undefined ? text : `${text}; did you mean --${near}?`)
  }
}

const isMany = (name: string | undefined) => name?.replace(']', '').endsWith('…') === true
const isOptional = (name: string) => name.startsWith('[')

/** The values of options as the panel writes them. @throws UsageError for one that its option does not accept */
const readChoices = (values: Readonly<Record<string, string | boolean | undefined>>) =>
  Object.fromEntries(
    Object.entries(values).map(([name, given]) => {
      const option = options[name as OptionName]
      return [name, typeof given === 'string' && 'values' in option ? choiceOf(`--${name}`, given, option.values) : given]
    }),
  )

/** @throws UsageError for arguments that the command does not take */
function requireTaken(name: string, taken: Described, names: readonly string[], values: Readonly<Record<string, unknown>>): void {
  const least = taken.names.filter((each) => !isOptional(each)).length
  if (names.length < least || (names.length > taken.names.length && !isMany(taken.names.at(-1)))) {
    throw new UsageError(`usage: zonedeck ${[name, ...taken.names].join(' ')}`)
  }
  const strange = Object.keys(values).find((option) => !taken.options.some((known) => known === option))
  if (strange !== undefined)
    throw new UsageError(`zonedeck ${name} has no option --${strange}; run zonedeck ${name} --help for its options`)
  if (values['json'] === true && values['csv'] === true) throw new UsageError('choose either --json or --csv')
}

/** @throws UsageError with suggestions if there is no such command */
function findCommand(positionals: readonly string[]): { name: string; command: Described } {
  const [first = '', second = ''] = positionals
  const name = [`${first} ${second}`, first].find((each) => commands.has(each))
  const command = name === undefined ? undefined : commands.get(name)
  if (name !== undefined && command !== undefined) return { name, command }
  const given = `${first} ${second}`.trim()
  const ofGroup = [...commands.keys()].filter((each) => each.startsWith(`${first} `))
  const near = closest(given, [...commands.keys()]) ?? closest(first, [...commands.keys()])
  const hint =
    ofGroup.length > 0
      ? `the commands are ${ofGroup.join(', ')}`
      : near === undefined
        ? 'run zonedeck --help for the list'
        : `did you mean "${near}"?`
  throw new UsageError(`unknown command "${given}"; ${hint}`)
}

async function perform(args: readonly string[], io: Io): Promise<ExitCode> {
  const { values, positionals } = read(args)
  if (values.version === true) {
    io.out(version)
    return 0
  }
  const [first, ...others] = positionals
  if (values.help === true || first === 'help') {
    const about = first === 'help' ? others : positionals
    if (about.length === 0) io.out(help)
    else {
      const group = about.length === 1 ? helpOfGroup(about[0] ?? '') : null
      if (group === null) {
        const { name, command } = findCommand(about)
        io.out(helpOf(name, command))
      } else io.out(group)
    }
    return 0
  }
  if (first === undefined) {
    io.say(help)
    return 2
  }
  const { name, command } = findCommand(positionals)
  const names = positionals.slice(name.split(' ').length)
  requireTaken(name, command, names, values)
  const given = readChoices(values)
  if (name === 'login') return login(io, values.url)
  if (command.run === null) {
    await forgetSettings(io.env)
    return 0
  }
  const settings = await readSettings(io.env)
  if (settings === null) throw new UsageError('no panel configured: set ZONEDECK_URL and ZONEDECK_TOKEN, or run zonedeck login')
  if (!isAddress(settings.url)) throw new UsageError(`"${settings.url}" is not a panel URL such as https://panel.example.com`)
  const format: Format = values.json === true ? 'json' : values.csv === true ? 'csv' : 'table'
  return command.run({ panel: createPanel(settings), rest: createRest(settings), io, format, names, options: given })
}

/** Runs a command and returns its exit code. Failures are printed as one line without a stack trace. */
export async function run(args: readonly string[], io: Io): Promise<ExitCode> {
  try {
    return await perform(args, io)
  } catch (error) {
    if (error instanceof ZonedeckError) {
      io.say(`${error.code}: ${error.message}`)
      for (const { path, message } of error.issues) io.say(`  ${path}: ${message}`)
      if (error.provider !== null) io.say(`  provider: ${error.provider.message}`)
    } else io.say(error instanceof Error ? error.message : String(error))
    return error instanceof UsageError ? 2 : 1
  }
}
