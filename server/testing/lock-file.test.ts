import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { z } from 'zod'

const lock = z
  .object({
    packages: z.record(z.string(), z.object({ version: z.string(), optionalDependencies: z.record(z.string(), z.string()).optional() })),
  })
  .parse(JSON.parse(readFileSync(new URL('../../package-lock.json', import.meta.url), 'utf8')))

/** Where npm resolves `name` for the package at `path`. */
function isLocked(path: string, name: string): boolean {
  for (let base = path; ; base = base.slice(0, Math.max(0, base.lastIndexOf('node_modules/') - 1))) {
    if (Object.hasOwn(lock.packages, `${base === '' ? '' : `${base}/`}node_modules/${name}`)) return true
    if (base === '') return false
  }
}

// An npm that cannot see a package for another platform omits it from the lock file, and `npm ci` then fails everywhere.
it('the lock file lists every optional package of every platform, so that npm ci accepts it', () => {
  const missing = Object.entries(lock.packages).flatMap(([path, { optionalDependencies = {} }]) =>
    Object.keys(optionalDependencies).filter((name) => !isLocked(path, name)),
  )
  expect(missing).toEqual([])
})

it('the lock file contains no registry address', () => {
  expect(readFileSync(new URL('../../package-lock.json', import.meta.url), 'utf8')).not.toContain('"resolved"')
})
