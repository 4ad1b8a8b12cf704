import { z } from 'zod'
import { trackerBindRequest, trackerUnbindRequest } from '#shared/features/operations/requests.ts'

/** Inputs about one domain's tracker; `id` is the panel's zone. Many at the same time are an operation. */
export const zoneTrackerInput = z.strictObject({ id: z.uuid() })
export const bindZoneInput = trackerBindRequest.extend(zoneTrackerInput.shape)
/** A query informs `archive` as text. */
export const unbindZoneInput = zoneTrackerInput.extend(trackerUnbindRequest.shape)
