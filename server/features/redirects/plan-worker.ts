import { once } from 'node:events'
import { parentPort, workerData } from 'node:worker_threads'
import type { MessagePort } from 'node:worker_threads'
import { planRedirects } from './plan-redirects.policy.ts'
import type { FindOthers, RedirectOrder } from './plan-redirects.policy.ts'

const { order, others } = workerData as { readonly order: RedirectOrder; readonly others: MessagePort }
const plan = await planRedirects(order, async (targetHosts) => {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread's port has no origin
  others.postMessage(targetHosts)
  const [found] = (await once(others, 'message')) as [Awaited<ReturnType<FindOthers>>]
  return found
})
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread's port has no origin
parentPort?.postMessage(plan)
