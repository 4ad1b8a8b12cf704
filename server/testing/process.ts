import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))

export interface ServerProcess {
  readonly pid: number
  /** Resolves with the address once it is logged; rejects with the output if the process exits before. */
  readonly address: Promise<string>
  output(): string
  kill(signal: NodeJS.Signals): void
  /** Its exit code, or the signal that terminated it. */
  readonly ended: Promise<number | NodeJS.Signals>
}

/** An entry point of the server in a separate process, on a free port, with only PATH from our environment. */
export function startProcess(program: string, env: Readonly<Record<string, string>>, args: readonly string[] = []): ServerProcess {
  const child = spawn(process.execPath, [join(root, 'server/entrypoints', program), ...args], {
    cwd: root,
    env: { PATH: String(process.env['PATH']), PORT: '0', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  const address = Promise.withResolvers<string>()
  address.promise.catch(() => undefined)
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      output += chunk.toString()
      const found = /^Zonedeck is running at (http\S+)$/m.exec(output)?.[1]
      if (found !== undefined) address.resolve(found)
    })
  }
  const ended = once(child, 'close').then(([code, signal]) => {
    address.reject(new Error(`the server ended:\n${output}`))
    return (code ?? signal) as number | NodeJS.Signals
  })
  return { pid: child.pid ?? 0, address: address.promise, output: () => output, kill: (signal) => void child.kill(signal), ended }
}

/** A private folder, like `mkdtemp`: no other user may traverse it. */
export async function temporaryFolder(): Promise<{ readonly path: string; remove(): Promise<void> }> {
  const path = await mkdtemp(join(tmpdir(), 'zonedeck-process-'))
  return { path, remove: () => rm(path, { recursive: true, force: true }) }
}
