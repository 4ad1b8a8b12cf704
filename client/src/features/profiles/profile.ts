import type { Outputs } from '#client/lib/trpc.ts'

/** A profile as it arrives. */
export type Profile = Outputs['profiles']['list']['profiles'][number]
