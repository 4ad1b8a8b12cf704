import type { Panel } from '../panel.ts'
import type { Rest } from '../rest/rest.ts'
import type { Format } from './print.ts'

export interface Io {
  readonly env: Readonly<Record<string, string | undefined>>
  /** Writes a line to standard output. */
  out(line: string): void
  /** Writes a line to standard error: progress, questions, failures. */
  say(line: string): void
  /** Whether questions can be answered on a terminal. */
  readonly interactive: boolean
  ask(question: string): Promise<string>
  /** Reads a file, or standard input for `-`. */
  read(file: string): Promise<string>
  /** Reads a secret: from a terminal without echo, otherwise from standard input. */
  secret(question: string): Promise<string>
}

export interface CommandContext {
  readonly panel: Panel
  readonly rest: Rest
  readonly io: Io
  readonly format: Format
  /** Positional arguments after the name of the command. */
  readonly names: readonly string[]
  readonly options: Readonly<Record<string, string | boolean | readonly string[] | undefined>>
}

/** 0 success, 1 failure, 2 invalid usage, 3 partial failure. */
export type ExitCode = 0 | 1 | 2 | 3
export type Command = (context: CommandContext) => Promise<ExitCode>

/** The command was called with invalid arguments. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

/** The value of an option that takes an integer of at least `least`; undefined if the option is absent. @throws UsageError */
export function numberOf(options: CommandContext['options'], name: string, least = 0): number | undefined {
  const given = options[name]
  if (given === undefined) return undefined
  const number = /^\d{1,9}$/.test(String(given)) ? Number(given) : Number.NaN
  if (!(number >= least)) throw new UsageError(`--${name} must be an integer of at least ${least}`)
  return number
}

/** The accepted value that was given, in any letter case. @throws UsageError */
export function choiceOf<T extends string>(name: string, given: string, accepted: readonly T[]): T {
  const found = accepted.find((value) => value.toLowerCase() === given.toLowerCase())
  if (found === undefined) throw new UsageError(`${name} does not accept "${given}"; accepted values: ${accepted.join(', ')}`)
  return found
}

/** Asks for confirmation unless `--yes` is given. @throws UsageError without a terminal */
export async function confirmed({ io, options }: CommandContext): Promise<boolean> {
  if (options['yes'] === true) return true
  if (!io.interactive) throw new UsageError('cannot ask for confirmation without a terminal; use --yes to apply the changes without asking')
  return /^y(es)?$/i.test((await io.ask('Apply these changes? [y/N] ')).trim())
}
