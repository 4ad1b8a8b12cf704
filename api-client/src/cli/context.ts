import type { Panel } from '../panel.ts'
import type { Rest } from '../rest/rest.ts'
import type { Format } from './print.ts'

export interface Io {
  readonly env: Readonly<Record<string, string | undefined>>
  /** Writes a line to standard output. */
  out(line: string): void
  /** Writes a line to standard error: progress, questions, failures. */
  say(line: string): void
  /** Whether somebody can answer a question. */
  readonly interactive: boolean
  ask(question: string): Promise<string>
  /** The text of a file; of `-` what comes on standard input. */
  read(file: string): Promise<string>
  /** Reads a secret: from a terminal without showing it, else the whole of standard input. */
  secret(question: string): Promise<string>
}

export interface CommandContext {
  readonly panel: Panel
  readonly rest: Rest
  readonly io: Io
  readonly format: Format
  /** What stands behind the command's name. */
  readonly names: readonly string[]
  readonly options: Readonly<Record<string, string | boolean | readonly string[] | undefined>>
}

/** 0 done, 1 failed, 2 called wrongly, 3 a part of it failed. */
export type ExitCode = 0 | 1 | 2 | 3
export type Command = (context: CommandContext) => Promise<ExitCode>

/** It was called wrongly. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

/** An option that is a whole number from `least` on; undefined where it was not given. @throws UsageError */
export function numberOf(options: CommandContext['options'], name: string, least = 0): number | undefined {
  const given = options[name]
  if (given === undefined) return undefined
  const number = /^\d{1,9}$/.test(String(given)) ? Number(given) : Number.NaN
  if (!(number >= least)) throw new UsageError(`--${name} must be an integer of at least ${least}`)
  return number
}

/** Asks, unless `--yes` has answered. @throws UsageError where nobody can be asked */
export async function confirmed({ io, options }: CommandContext): Promise<boolean> {
  if (options['yes'] === true) return true
  if (!io.interactive) throw new UsageError('cannot ask for confirmation without a terminal; use --yes to apply the changes without asking')
  return /^y(es)?$/i.test((await io.ask('Apply these changes? [y/N] ')).trim())
}
