import { z } from 'zod'
import { trackerBindRequest, trackerUnbindRequest } from '#shared/features/operations/requests.ts'

/** Inputs for one domain's tracker; `id` is the panel's zone. Bulk changes are operations. */
export const zoneTrackerInput = z.strictObject({ id: z.uuid() })
export const bindZoneInput = trackerBindRequest.extend(zoneTrackerInput.shape)
/** In a query string `archive` is text. */
export const unbindZoneInput = zoneTrackerInput.extend(trackerUnbindRequest.shape)
