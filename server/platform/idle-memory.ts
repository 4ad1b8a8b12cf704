import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

const lookEveryMs = 10_000
/** CPU share below which the process counts as idle. */
const idleShare = 0.03
const worthBytes = 16 * 1024 * 1024

/**
 * V8 keeps garbage of a busy period until the heap grows again, so an idle server would hold twice the memory it needs. This collects once
 * after each busy period, while no request is waiting.
 */
export function returnIdleMemory(): () => void {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  let kept = 0
  let cpu = process.cpuUsage()
  const timer = setInterval(() => {
    const used = process.cpuUsage(cpu)
    cpu = process.cpuUsage()
    if ((used.user + used.system) / 1000 > lookEveryMs * idleShare) return
    if (process.memoryUsage.rss() - kept < worthBytes) return
    collect()
    kept = process.memoryUsage.rss()
    cpu = process.cpuUsage()
  }, lookEveryMs)
  timer.unref()
  return () => clearInterval(timer)
}
