import { execFile, execFileSync } from 'node:child_process'
import { chmod, cp, mkdir, mkdtemp, readFile, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join, matchesGlob, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { z } from 'zod'

const run = promisify(execFile)
const project = fileURLToPath(new URL('../..', import.meta.url))

interface Instruction {
  readonly name: string
  readonly rest: string
}

/** The result of a `docker build`, without Docker. */
export interface BuiltImage {
  /** The `/` of the final stage. */
  readonly root: string
  readonly env: Readonly<Record<string, string>>
  readonly workdir: string
  readonly user: { readonly uid: number; readonly gid: number }
  readonly command: readonly string[]
  readonly healthCheck: readonly string[]
  remove(): Promise<void>
}

const words = z.array(z.string())
const isRoot = process.getuid?.() === 0

/** Instructions with joined continuation lines, without comments and blank lines. */
function parseDockerfile(text: string): Instruction[] {
  const lines = text.replaceAll(/\\\n/g, ' ').split('\n')
  return lines.flatMap((line) => {
    const [, name, rest] = /^([A-Z]+)\s+(.*)$/.exec(line.trim()) ?? []
    return name === undefined || rest === undefined ? [] : [{ name, rest: rest.trim() }]
  })
}

/** Whether `.dockerignore` excludes a path: the last rule that matches it or a parent folder applies. */
async function readIgnore(): Promise<(path: string) => boolean> {
  const rules = (await readFile(join(project, '.dockerignore'), 'utf8'))
    .split('\n')
    .filter((line) => line.trim() !== '' && !line.startsWith('#'))
  return (path) => {
    const parts = path.split('/')
    const above = parts.map((_, index) => parts.slice(0, index + 1).join('/'))
    return rules.reduce((ignored, rule) => {
      const pattern = rule.replace(/^!/, '')
      return above.some((each) => matchesGlob(each, pattern)) ? !rule.startsWith('!') : ignored
    }, false)
  }
}

/** As hard links if possible: files deleted or replaced on one side stay on the other. */
async function link(from: string, to: string): Promise<void> {
  await run('cp', ['-al', from, to]).catch(() => run('cp', ['-a', from, to]))
}

/** `npm ci --omit=dev` without the registry: the installed packages that are not development dependencies according to the lock file. */
async function installPackages(folder: string): Promise<void> {
  const lock = z
    .object({ packages: z.record(z.string(), z.object({ dev: z.boolean().optional() })) })
    .parse(JSON.parse(await readFile(join(folder, 'package-lock.json'), 'utf8')))
  const names = Object.entries(lock.packages).flatMap(([path, { dev }]) => {
    const name = /^node_modules\/((?:@[^/]+\/)?[^/]+)$/.exec(path)?.[1]
    return name === undefined || dev === true ? [] : [name]
  })
  for (const name of names) {
    const from = join(project, 'node_modules', name)
    const into = join(folder, 'node_modules', name, '..')
    if ((await stat(from).catch(() => null)) === null) continue
    await mkdir(into, { recursive: true })
    await link(from, join(into, basename(name)))
  }
}

/** Replays the Dockerfile step by step: every COPY and RUN is executed, in folders instead of layers. */
export async function buildImage(): Promise<BuiltImage> {
  const base = await mkdtemp(join(tmpdir(), 'zonedeck-image-'))
  try {
    await chmod(base, 0o755)
    return await replay(base)
  } catch (error) {
    await rm(base, { recursive: true, force: true })
    throw error
  }
}

async function replay(base: string): Promise<BuiltImage> {
  const isIgnored = await readIgnore()
  const stages = new Map<string, string>()
  let [root, workdir, stageName] = ['', '/', '']
  let env: Record<string, string> = {}
  let user = { uid: 0, gid: 0 }
  let command: readonly string[] = []
  let healthCheck: readonly string[] = []
  const inside = (path: string) => join(root, resolve(workdir, path))

  async function copy(rest: string): Promise<void> {
    const [, from] = /--from=(\S+)/.exec(rest) ?? []
    const paths = rest.split(/\s+/).filter((word) => !word.startsWith('--'))
    const target = paths.pop() ?? ''
    const intoFolder = target.endsWith('/') || paths.length > 1
    for (const path of paths) {
      const to = intoFolder ? join(inside(target), basename(path)) : inside(target)
      await mkdir(join(to, '..'), { recursive: true })
      if (path === '/usr/local/bin/node') await link(process.execPath, to)
      else if (from !== undefined) await link(join(stages.get(from) ?? base, path), to)
      else await cp(join(project, path), to, { recursive: true, filter: (file) => !isIgnored(relative(project, file)) })
    }
  }

  async function execute(line: string): Promise<void> {
    if (line.startsWith('npm ci ')) return installPackages(inside('.'))
    const options = { cwd: inside('.'), env: { ...env, PATH: String(process.env['PATH']), HOME: base } }
    const [program = '', ...args] = line.split(' ')
    if (program === 'node') await run(process.execPath, args, options)
    else {
      // Absolute paths are those of the image; only root can change owners.
      const here = line.replaceAll(/(?<=\s)\/(?=\w)/g, `${root}/`).replaceAll(isRoot ? /$^/g : /&& chown \S+ \S+/g, '')
      execFileSync('/bin/sh', ['-c', here], options)
    }
  }

  for (const { name, rest } of parseDockerfile(await readFile(join(project, 'Dockerfile'), 'utf8'))) {
    if (name === 'FROM') {
      stageName = /\bAS (\w+)$/.exec(rest)?.[1] ?? 'last'
      root = join(base, stageName)
      stages.set(stageName, root)
      await mkdir(root)
      workdir = '/'
      env = {}
    } else if (name === 'WORKDIR') {
      workdir = resolve(workdir, rest)
      await mkdir(inside('.'), { recursive: true })
    } else if (name === 'ENV') for (const [, key = '', value = ''] of rest.matchAll(/(\w+)=(\S+)/g)) env[key] = value
    else if (name === 'COPY') await copy(rest)
    else if (name === 'RUN') await execute(rest)
    else if (name === 'USER') {
      const [uid = 0, gid = 0] = rest.split(':').map(Number)
      user = { uid, gid }
    } else if (name === 'CMD') command = words.parse(JSON.parse(rest))
    else if (name === 'HEALTHCHECK') healthCheck = words.parse(JSON.parse(rest.replace(/^.*CMD /, '')))
    else if (name !== 'EXPOSE' && name !== 'VOLUME') throw new Error(`the test does not know ${name}`)
  }
  return { root, env, workdir, user, command, healthCheck, remove: () => rm(base, { recursive: true, force: true }) }
}

/** Bytes of all files under a folder. */
export async function sizeOf(folder: string): Promise<number> {
  const files = (await readdir(folder, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile())
  const sizes = await Promise.all(files.map(async (entry) => (await stat(join(entry.parentPath, entry.name))).size))
  return sizes.reduce((sum, size) => sum + size, 0)
}
