import { z } from 'zod'
import { certificate, verification } from '#shared/features/domains/settings/schema.ts'

/** Written by this program, but by any version of it. */
const known = z.object({ value: z.unknown(), editable: z.boolean().catch(true), modifiedOn: z.string().nullable().catch(null) })
export type KnownSetting = z.infer<typeof known>
export const writtenSettings = z.record(z.string(), known).catch({})

export const writtenSsl = z.object({
  certificates: z.array(certificate).catch([]),
  verification: z.array(verification).catch([]),
})
