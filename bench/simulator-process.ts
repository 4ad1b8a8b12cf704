import { startCloudflareSimulator } from '#server/simulators/cloudflare/simulator.ts'
import type { CloudflareSimulatorOptions } from '#server/simulators/cloudflare/simulator.ts'
import { buildWorld } from '#server/simulators/world.ts'
import type { WorldOptions } from '#server/simulators/world.ts'

/** A Cloudflare in a process of its own, so that it does not share a core's time with what is measured. */
export interface SimulatorTask {
  readonly world: WorldOptions
  readonly options: Pick<CloudflareSimulatorOptions, 'latencyMs' | 'budget' | 'addressLimitPerSecond'>
}

const { world, options } = JSON.parse(process.argv[2] ?? '') as SimulatorTask
const simulator = await startCloudflareSimulator({ world: buildWorld(world), ...options })
process.send?.(simulator.url)
process.once('disconnect', () => void simulator.close())
