import { existsSync } from 'node:fs'
import { mkdir, readFile, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'

export const filesUnder = async (folder: string): Promise<string[]> =>
  (await readdir(folder, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .toSorted()

/** Before a page names an asset, the asset is there. */
const turnOf = (name: string): number => (name.startsWith('assets/') ? 0 : name.startsWith('index.html') ? 2 : 1)

/**
 * Moves a whole build from the folder `fresh`, which lies in `dist` under a name that begins with a dot, to `dist`. What the build before is made of
 * stays: processes that were started on it, and pages that were opened with it, ask for it until they are started and opened again. What is older goes.
 */
export async function publishBuild(fresh: string, dist: string): Promise<void> {
  // A line a file of the newest build.
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
  const kept = new Set([...names, ...before, '.files', '.inputs'])
  const old = (await filesUnder(dist)).filter((file) => !kept.has(relative(dist, file)))
  await Promise.all(old.map((file) => rm(file)))
  await writeFile(list, names.join('\n'))
}
