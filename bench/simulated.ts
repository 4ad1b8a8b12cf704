import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { SimulatorTask } from './simulator-process.ts'

interface Row {
  readonly method: string
  readonly path: string
  readonly status: number
  readonly count: number
}

/** A Cloudflare in a process of its own. */
export interface Simulated {
  readonly url: string
  /** What it was asked since the last reset. */
  journal(): Promise<{ readonly calls: number; readonly refused: number; readonly rows: readonly Row[] }>
  /** Back to the world's beginning. */
  reset(): Promise<void>
  stop(): void
}

export async function startSimulator(task: SimulatorTask): Promise<Simulated> {
  const child = fork(fileURLToPath(new URL('simulator-process.ts', import.meta.url)), [JSON.stringify(task)])
  const [url] = (await once(child, 'message')) as [string]
  return {
    url,
    async journal() {
      const answer = await fetch(new URL('/__simulator/journal', url))
      const { total, summary } = (await answer.json()) as { total: number; summary: Row[] }
      return { calls: total, refused: summary.filter((row) => row.status === 429).reduce((sum, row) => sum + row.count, 0), rows: summary }
    },
    async reset() {
      await fetch(new URL('/__simulator/reset', url), { method: 'POST' })
    },
    stop: () => child.disconnect(),
  }
}
