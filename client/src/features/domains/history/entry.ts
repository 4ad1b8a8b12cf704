import type { Outputs } from '#client/lib/trpc.ts'

/** A change of a domain, as it arrives. */
export type Entry = Outputs['history']['list']['entries'][number]
/** What taking one back would do. */
export type Step = Outputs['history']['previewRevert']['steps'][number]
