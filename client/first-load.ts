import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { findChunk, routeKey, textChunk } from './chunks.ts'
import type { Chunk, Manifest } from './chunks.ts'

/** What the sign-in page requests without interaction, in addition to its texts in one language. */
const entries = ['index.html', routeKey('login')]
const texts = ['common', 'errors', 'validation', 'auth']

/** Size in bytes of the first load of the sign-in page, compressed as in `dist`. */
export async function measureFirstLoad(dist: string): Promise<Record<'script' | 'style', { gzip: number; brotli: number }>> {
  const manifest = JSON.parse(await readFile(join(dist, '.vite/manifest.json'), 'utf8')) as Manifest
  const scripts = new Set<string>()
  const styles = new Set<string>()
  const add = (chunk: Chunk): void => {
    if (scripts.has(chunk.file)) return
    scripts.add(chunk.file)
    for (const style of chunk.css ?? []) styles.add(style)
    for (const each of chunk.imports ?? []) add(findChunk(manifest, each))
  }
  for (const entry of entries) add(findChunk(manifest, entry))
  for (const name of texts) add(textChunk(manifest, 'ru', name))

  const sum = async (files: Iterable<string>, ending: string): Promise<number> => {
    const sizes = await Promise.all([...files].map(async (file) => (await readFile(join(dist, file + ending))).byteLength))
    return sizes.reduce((total, size) => total + size, 0)
  }
  return {
    script: { gzip: await sum(scripts, '.gz'), brotli: await sum(scripts, '.br') },
    style: { gzip: await sum(styles, '.gz'), brotli: await sum(styles, '.br') },
  }
}

/** Prints the size and its limits (gzip). */
export async function reportFirstLoad(dist: string): Promise<void> {
  const { script, style } = await measureFirstLoad(dist)
  const kb = (bytes: number): string => `${(bytes / 1000).toFixed(1)} kB`
  process.stdout.write(
    `First load of /login: script ${kb(script.gzip)} gzip (limit 185 kB), ${kb(script.brotli)} Brotli\n` +
      `                      styles ${kb(style.gzip)} gzip (limit 20 kB), ${kb(style.brotli)} Brotli\n`,
  )
  if (script.gzip > 185_000 || style.gzip > 20_000) process.exitCode = 1
}
