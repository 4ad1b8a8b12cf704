import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'
import { startCloudflareSimulator } from '#server/simulators/cloudflare/simulator.ts'
import type { CloudflareSimulatorOptions } from '#server/simulators/cloudflare/simulator.ts'
import { startTargetsSimulator } from '#server/simulators/targets/simulator.ts'
import { buildWorld } from '#server/simulators/world.ts'
import type { WorldOptions } from '#server/simulators/world.ts'

interface SimulatorTask {
  readonly world: WorldOptions
  readonly options: Pick<CloudflareSimulatorOptions, 'latencyMs' | 'budget' | 'addressLimitPerSecond'>
}

interface Row {
  readonly method: string
  readonly path: string
  readonly status: number
  readonly count: number
}

/** A simulated Cloudflare as a separate process. */
export interface Simulated {
  readonly url: string
  /** The requests since the last reset. */
  journal(): Promise<{ readonly calls: number; readonly refused: number; readonly rows: readonly Row[] }>
  /** Restores the initial world. */
  reset(): Promise<void>
  stop(): void
}

/** A separate process, so that it does not use the measured CPU time. */
async function startProcess(task: SimulatorTask | 'targets') {
  const child = fork(fileURLToPath(import.meta.url), [JSON.stringify(task)])
  const [message] = (await once(child, 'message')) as [unknown]
  return { message, stop: () => child.disconnect() }
}

export async function startSimulator(task: SimulatorTask): Promise<Simulated> {
  const { message, stop } = await startProcess(task)
  const url = z.string().parse(message)
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
    stop,
  }
}

/** Simulated sites in which every name resolves and is healthy. */
export async function startTargets() {
  const { message, stop } = await startProcess('targets')
  const { dnsServer, viaText, root } = z.object({ dnsServer: z.string(), viaText: z.string(), root: z.string() }).parse(message)
  const [httpPort = 0, httpsPort = 0] = (viaText.split(':')[1] ?? '').split('/').map(Number)
  return { dnsServer, root, httpPort, httpsPort, stop }
}

async function simulate(task: SimulatorTask | 'targets'): Promise<{ readonly message: unknown; close(): Promise<void> }> {
  if (task === 'targets') {
    const targets = await startTargetsSimulator({ sites: () => ({ page: { kind: 'page', body: 'x'.repeat(1_000) } }) })
    return { message: { dnsServer: targets.dnsServer, viaText: targets.viaText, root: targets.root }, close: targets.close }
  }
  const simulator = await startCloudflareSimulator({ world: buildWorld(task.world), ...task.options })
  return { message: simulator.url, close: simulator.close }
}

if (import.meta.main) {
  const { message, close } = await simulate(JSON.parse(process.argv[2] ?? '') as SimulatorTask | 'targets')
  process.send?.(message)
  process.once('disconnect', () => void close())
}
