import { parentPort, workerData } from 'node:worker_threads'
import { planZoneFile } from '#shared/features/records/zone-file.ts'
import type { ZoneFileInput } from '#shared/features/records/zone-file.ts'

parentPort?.postMessage(planZoneFile(workerData as ZoneFileInput))
