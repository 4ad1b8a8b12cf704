import { parentPort, workerData } from 'node:worker_threads'
import { planRedirects } from './plan-redirects.policy.ts'
import type { RedirectOrder } from './plan-redirects.policy.ts'

// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread's port has no origin
parentPort?.postMessage(planRedirects(workerData as RedirectOrder))
