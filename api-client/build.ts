import { execFile } from 'node:child_process'
import { chmod, copyFile, cp, glob, mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { stripTypeScriptTypes } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { z } from 'zod'
import { writeProcedures } from './write-procedures.ts'

const here = fileURLToPath(new URL('.', import.meta.url))
const root = join(here, '..')
const dist = join(here, 'dist')
const folder = join(dist, 'package')
const limitBytes = 110_000

const run = promisify(execFile)
const manifest = async (file: string) => z.looseObject({ version: z.string() }).parse(JSON.parse(await readFile(file, 'utf8')))

/** Code without the comments that stand on lines of their own. */
function withoutComments(code: string): string {
  let isComment = false
  const isCode = (line: string): boolean => {
    const text = line.trim()
    const begins = !isComment && text.startsWith('/**')
    if (!isComment && !begins) return !text.startsWith('//')
    isComment = !text.endsWith('*/')
    return false
  }
  return code.split('\n').filter(isCode).join('\n')
}

/** Builds the npm package with the version of the panel. Returns the path of the tarball. */
async function build(): Promise<string> {
  await rm(dist, { recursive: true, force: true })
  await mkdir(folder, { recursive: true })
  await run(join(root, 'node_modules/.bin/tsc'), ['-p', join(here, 'tsconfig.build.json')])
  // The compiler keeps `.ts` in the imports of declarations, which older versions cannot resolve.
  for await (const file of glob('**/*.d.ts', { cwd: folder })) {
    const text = await readFile(join(folder, file), 'utf8')
    await writeFile(join(folder, file), text.replaceAll(/(from '\.[^']*)\.ts'/g, "$1.js'"))
  }
  // Commands, which nobody imports, need no declarations.
  for await (const file of glob('{cli,mcp}/**/*.d.ts', { cwd: folder })) await rm(join(folder, file))
  // Editors show the comments of the declarations.
  for await (const file of glob('**/*.js', { cwd: folder })) {
    await writeFile(join(folder, file), withoutComments(await readFile(join(folder, file), 'utf8')))
  }
  const { version } = await manifest(join(root, 'package.json'))
  await writeFile(
    join(folder, 'package.json'),
    `${JSON.stringify({ ...(await manifest(join(here, 'package.json'))), version }, null, 2)}\n`,
  )
  for (const name of ['README.md', 'LICENSE']) await copyFile(join(here, name), join(folder, name))
  await cp(join(here, 'examples'), join(folder, 'examples'), { recursive: true })
  // Node does not run TypeScript in `node_modules`, and older versions do not run it at all.
  for await (const file of glob('*.ts', { cwd: join(folder, 'examples') })) {
    const source = await readFile(join(folder, 'examples', file), 'utf8')
    await writeFile(join(folder, 'examples', file.replace(/\.ts$/, '.js')), stripTypeScriptTypes(source))
  }
  await chmod(join(folder, 'cli/main.js'), 0o755)
  const { stdout } = await run('npm', ['pack', '--silent', '--ignore-scripts', '--pack-destination', dist], { cwd: folder })
  return join(dist, stdout.trim().split('\n').at(-1) ?? '')
}

await writeProcedures()
if (!process.argv.includes('--types')) {
  const tarball = await build()
  const { size } = await stat(tarball)
  process.stdout.write(`${tarball}\n${(size / 1000).toFixed(1)} kB\n`)
  if (size > limitBytes) throw new Error(`the package exceeds ${limitBytes / 1000} kB`)
}
