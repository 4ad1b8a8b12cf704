import { existsSync } from 'node:fs'
import { mkdir, readFile, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'

export const filesUnder = async (folder: string): Promise<string[]> =>
  (await readdir(folder, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .toSorted()

/** Assets are published before the page that references them. */
const turnOf = (name: string): number => (name.startsWith('assets/') ? 0 : name.startsWith('index.html') ? 2 : 1)

/**
 * Moves a complete build from the folder `fresh`, a dot folder inside `dist`, to `dist`. The files of the previous build stay for running
 * processes and open pages; older ones are removed.
 */
export async function publishBuild(fresh: string, dist: string): Promise<void> {
  // One line per file of the newest build.
  const list = join(dist, '.files')
  const before = existsSync(list)
    ? (await readFile(list, 'utf8')).split('\n')
    : (await filesUnder(dist)).filter((file) => !file.startsWith(join(fresh, '/'))).map((file) => relative(dist, file))
  const names = (await filesUnder(fresh)).map((file) => relative(fresh, file)).toSorted((one, other) => turnOf(one) - turnOf(other))
  for (const name of names) {
    await mkdir(dirname(join(dist, name)), { recursive: true })
    await rename(join(fresh, name), join(dist, name))
  }
  await rm(fresh, { recursive: true })
  const kept = new Set([...names, ...before, '.files', '.inputs', '.lock'])
  const old = (await filesUnder(dist)).filter((file) => !kept.has(relative(dist, file)))
  await Promise.all(old.map((file) => rm(file)))
  await writeFile(list, names.join('\n'))
}
