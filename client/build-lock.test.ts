import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { withBuildLock } from './build-lock.ts'

async function newLock(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'zonedeck-build-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  return join(folder, 'dist/.lock')
}

/** A process that says when it waits and when it works, and works until its input ends. */
function startWorker(lock: string) {
  const code = `
    import { once } from 'node:events'
    import { withBuildLock } from ${JSON.stringify(join(import.meta.dirname, 'build-lock.ts'))}
    await withBuildLock(${JSON.stringify(lock)}, () => console.log('waits'), async () => {
      console.log('works')
      await once(process.stdin.resume(), 'end')
    })`
  const child = spawn(process.execPath, ['--input-type=module', '--eval', code], { stdio: ['pipe', 'pipe', 'inherit'] })
  onTestFinished(() => void child.kill('SIGKILL'))
  const said = async (): Promise<string> => String((await once(child.stdout, 'data'))[0]).trim()
  return { child, said, ended: once(child, 'exit') }
}

test('of two processes the second says that it waits, and works when the first has ended', async () => {
  const lock = await newLock()
  const first = startWorker(lock)
  expect(await first.said()).toBe('works')
  const second = startWorker(lock)
  expect(await second.said()).toBe('waits')
  const next = second.said()
  first.child.stdin.end()
  expect((await first.ended)[0]).toBe(0)
  expect(await next).toBe('works')
})

test('the lock of a process that was killed, or that is older than any build, is no lock', async () => {
  const lock = await newLock()
  const killed = startWorker(lock)
  expect(await killed.said()).toBe('works')
  killed.child.kill('SIGKILL')
  await killed.ended
  const done: string[] = []
  const waited = () => void done.push('waited')
  await withBuildLock(lock, waited, async () => void done.push(await readFile(lock, 'utf8')))
  // Its process ID belongs to a process that runs.
  await writeFile(lock, String(process.ppid))
  await utimes(lock, new Date(0), new Date(0))
  await withBuildLock(lock, waited, async () => void done.push('after an old one'))
  expect(done).toEqual([String(process.pid), 'after an old one'])
})

test('failed work ends the lock', async () => {
  const lock = await newLock()
  const failing = withBuildLock(
    lock,
    () => undefined,
    () => Promise.reject(new Error('no')),
  )
  await expect(failing).rejects.toThrow('no')
  await expect(readFile(lock)).rejects.toThrow('ENOENT')
})
