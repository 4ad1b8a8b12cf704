import { z } from 'zod'

/** Part of the answer of a change: the `batchId` of its history entries; there are none if it changed nothing. */
export const changeBatch = { batchId: z.uuid() }
