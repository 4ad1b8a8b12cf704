import { parentPort, workerData } from 'node:worker_threads'
import { planZoneFile } from '#shared/features/domains/records/plan-zone-file.ts'
import type { ZoneFileInput } from '#shared/features/domains/records/plan-zone-file.ts'

// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread's port has no origin
parentPort?.postMessage(planZoneFile(workerData as ZoneFileInput))
