import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readFile, readdir, rm, writeFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { Generator, getConfig } from '@tanstack/router-generator'
import { withBuildLock } from './build-lock.ts'
import { completePage } from './preloads.ts'
import { filesUnder, publishBuild } from './publish-build.ts'

const client = fileURLToPath(new URL('.', import.meta.url))
const root = join(client, '..')
const dist = join(client, 'dist')
const stamp = join(dist, '.inputs')
/** A build is completed here before any of it is served. */
const fresh = join(dist, '.fresh')

/** A hash over all inputs of the client build. */
async function hashOfInputs(): Promise<string> {
  const folders = await Promise.all([join(client, 'src'), join(client, 'public'), join(root, 'shared')].map(filesUnder))
  const own = (await readdir(client)).filter((name) => /\.(ts|html|json)$/.test(name)).map((name) => join(client, name))
  const hash = createHash('sha256')
  for (const file of [...folders.flat(), ...own, join(root, 'package-lock.json')]) {
    if (file.endsWith('.test.ts') || file.endsWith('routeTree.gen.ts')) continue
    hash
      .update(relative(root, file))
      .update('\0')
      .update(await readFile(file))
      .update('\0')
  }
  return hash.digest('hex')
}

/** Writes the route tree, which the types need; fast. */
async function writeRoutes(): Promise<void> {
  const { routerOptions } = await import('./vite.config.ts')
  const config = getConfig(routerOptions, root)
  await new Generator({ config, root }).run()
}

const text = /\.(js|css|html|svg|json|txt|map)$/

/** Writes a `.br` and a `.gz` file beside every text asset, so that serving needs no compression. */
async function precompress(): Promise<void> {
  const files = (await filesUnder(fresh)).filter((file) => text.test(file))
  await Promise.all(
    files.map(async (file) => {
      const content = await readFile(file)
      const [br, gz] = await Promise.all([
        promisify(brotliCompress)(content, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }),
        promisify(gzip)(content, { level: 9 }),
      ])
      await Promise.all([writeFile(`${file}.br`, br), writeFile(`${file}.gz`, gz)])
    }),
  )
}

const isBuilt = async (hash: string): Promise<boolean> => existsSync(stamp) && (await readFile(stamp, 'utf8')) === hash

/** Builds `client/dist` unless it is up to date with its inputs. */
async function build(): Promise<void> {
  const hash = await hashOfInputs()
  if (await isBuilt(hash)) return
  const say = () => process.stderr.write('Another process is building the client; waiting for it.\n')
  await withBuildLock(join(dist, '.lock'), say, async () => {
    if (await isBuilt(hash)) return
    const { build: viteBuild } = await import('vite')
    await rm(fresh, { recursive: true, force: true })
    await viteBuild({ configFile: join(client, 'vite.config.ts'), logLevel: 'warn', build: { outDir: fresh } })
    await completePage(fresh)
    await precompress()
    await publishBuild(fresh, dist)
    await writeFile(stamp, hash)
  })
}

if (process.argv.includes('--routes')) {
  await writeRoutes()
} else {
  await build()
  if (process.argv.includes('--report')) {
    const { reportFirstLoad } = await import('./first-load.ts')
    await reportFirstLoad(dist)
  }
}
