import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'

export interface Settings {
  readonly url: string
  readonly token: string
}

type Environment = Readonly<Record<string, string | undefined>>

const fileOf = (env: Environment) => join(env['XDG_CONFIG_HOME'] || join(homedir(), '.config'), 'zonedeck', 'login.json')

/** Where the panel is and as whom: from the environment, else from the last `login`; null where neither says it. */
export async function readSettings(env: Environment): Promise<Settings | null> {
  const text = await readFile(fileOf(env), 'utf8').catch(() => '{}')
  const kept = JSON.parse(text) as Partial<Settings>
  const url = env['ZONEDECK_URL'] || kept.url
  // A token is never sent to another panel than the one it is for.
  const token = env['ZONEDECK_TOKEN'] || (url === kept.url ? kept.token : undefined)
  return url === undefined || token === undefined ? null : { url, token }
}

/** Kept for the person alone. Answers with the file's path. */
export async function keepSettings(env: Environment, settings: Settings): Promise<string> {
  const file = fileOf(env)
  await mkdir(dirname(file), { recursive: true, mode: 0o700 })
  await rm(file, { force: true })
  await writeFile(file, `${JSON.stringify(settings)}\n`, { mode: 0o600 })
  return file
}

export const forgetSettings = (env: Environment): Promise<void> => rm(fileOf(env), { force: true })
