import { mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'

const codeOf = (error: unknown): unknown => (error instanceof Error && 'code' in error ? error.code : undefined)
/** No build takes that long: the process ID of an older lock belongs to another process by now. */
const longestBuildMs = 10 * 60_000

/** Whether the process that created the lock still builds. */
async function isHeld(file: string): Promise<boolean> {
  try {
    const [holder, { mtimeMs }] = [Number(await readFile(file, 'utf8')), await stat(file)]
    if (holder === process.pid || Date.now() - mtimeMs > longestBuildMs) return false
    // Throws if there is no such process. The file is empty for a moment: 0 is always there.
    return process.kill(holder, 0)
  } catch (error) {
    return codeOf(error) === 'EPERM'
  }
}

async function take(file: string): Promise<boolean> {
  try {
    await writeFile(file, String(process.pid), { flag: 'wx' })
    return true
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error
    if (!(await isHeld(file))) await rm(file, { force: true })
    return false
  }
}

/** Does `work` while no other process does: `npm start` and `npm run demo` may both begin with a build. Calls `onWait` if it has to wait. */
export async function withBuildLock(file: string, onWait: () => void, work: () => Promise<void>): Promise<void> {
  await mkdir(dirname(file), { recursive: true })
  for (let tries = 0; !(await take(file)); tries += 1) {
    if (tries === 1) onWait()
    if (tries > 0) await delay(200)
  }
  try {
    await work()
  } finally {
    await rm(file, { force: true })
  }
}
