import type { Outputs } from '#client/lib/trpc.ts'

/** What the set-up of a second factor answers. */
export type Added = Outputs['twoFactor']['confirmTotp']
