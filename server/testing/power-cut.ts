import { mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { open } from 'node:fs/promises'
import type { FileHandle } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { vi } from 'vitest'

export interface FlushRecorder {
  /**
   * The folder after a possible power failure now, in two variants below `into`: with the flushed directory entries, and with the current
   * ones. Files contain only flushed data.
   */
  cut(into: string): string[]
  restore(): void
}

/** Records which parts of `folder` are flushed from now on. Its current content is durable. */
export async function recordFlushes(folder: string): Promise<FlushRecorder> {
  const inodeOf = (path: string) => statSync(path).ino
  const list = () => new Map(readdirSync(folder).map((name) => [name, inodeOf(join(folder, name))]))
  const contents = new Map([...list()].map(([name, inode]) => [inode, readFileSync(join(folder, name))]))
  let names = list()

  const probe = await open(tmpdir(), 'r')
  const prototype = Object.getPrototypeOf(probe) as FileHandle
  await probe.close()
  const { sync } = prototype
  const spy = vi.spyOn(prototype, 'sync').mockImplementation(async function (this: FileHandle) {
    await sync.call(this)
    const { ino } = await this.stat()
    if (ino === inodeOf(folder)) names = list()
    const name = [...list()].find(([, inode]) => inode === ino)?.[0]
    if (name !== undefined) contents.set(ino, readFileSync(join(folder, name)))
  })

  let cuts = 0
  const write = (into: string, held: ReadonlyMap<string, number>) => {
    mkdirSync(into, { recursive: true })
    for (const [name, inode] of held) writeFileSync(join(into, name), contents.get(inode) ?? '', { mode: 0o600 })
    return into
  }
  return {
    cut(into) {
      cuts += 1
      return [write(join(into, `${cuts}-old`), names), write(join(into, `${cuts}-new`), list())]
    },
    restore: () => spy.mockRestore(),
  }
}
