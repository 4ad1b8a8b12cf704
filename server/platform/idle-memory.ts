import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

const lookEveryMs = 10_000
/** Share of one processor below which nobody waits for the process. */
const idleShare = 0.03
const worthBytes = 16 * 1024 * 1024

/**
 * V8 keeps what a busy moment left behind until the heap grows again, so a server at rest would hold twice what it needs. This
 * collects once after each busy time, while nobody waits.
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
