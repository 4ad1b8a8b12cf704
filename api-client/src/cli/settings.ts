import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'

export interface Settings {
  readonly url: string
  readonly token: string
}

type Environment = Readonly<Record<string, string | undefined>>

const fileOf = (env: Environment) => join(env['XDG_CONFIG_HOME'] || join(homedir(), '.config'), 'zonedeck', 'login.json')

/** The settings saved by `login`; empty if there are none. @throws Error that names the file if it is damaged */
async function readKept(file: string): Promise<Partial<Settings>> {
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return '{}'
    throw error
  })
  const broken = (cause?: unknown) => new Error(`${file} cannot be read; run zonedeck login to replace it`, { cause })
  let kept: unknown
  try {
    kept = JSON.parse(text)
  } catch (error) {
    throw broken(error)
  }
  const { url, token } = (typeof kept === 'object' && kept !== null ? kept : { url: null }) as Readonly<Record<string, unknown>>
  if ((url !== undefined && typeof url !== 'string') || (token !== undefined && typeof token !== 'string')) throw broken()
  return { ...(url !== undefined && { url }), ...(token !== undefined && { token }) }
}

/**
 * The URL and token: from the environment, else from the last `login`; null if neither is set.
 * @throws Error if the file of `login` is needed and cannot be read
 */
export async function readSettings(env: Environment): Promise<Settings | null> {
  const given = { url: env['ZONEDECK_URL'], token: env['ZONEDECK_TOKEN'] }
  if (given.url && given.token) return { url: given.url, token: given.token }
  const kept = await readKept(fileOf(env))
  const url = given.url || kept.url
  // A token is only sent to the panel it belongs to.
  const token = given.token || (url === kept.url ? kept.token : undefined)
  return url === undefined || token === undefined ? null : { url, token }
}

/** Writes a file that only the user can read. @returns the path of the file */
export async function keepSettings(env: Environment, settings: Settings): Promise<string> {
  const file = fileOf(env)
  await mkdir(dirname(file), { recursive: true, mode: 0o700 })
  await rm(file, { force: true })
  await writeFile(file, `${JSON.stringify(settings)}\n`, { mode: 0o600 })
  return file
}

export const forgetSettings = (env: Environment): Promise<void> => rm(fileOf(env), { force: true })
