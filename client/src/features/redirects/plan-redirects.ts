import type { Inputs, Outputs } from '#client/lib/trpc.ts'

export type RedirectPlan = Outputs['operations']['previewRedirects']
/** Requests the preview of a change; the form that has it reports a failure. */
export type PlanRedirects = (order: Omit<Inputs['operations']['previewRedirects'], 'id'>) => Promise<void>
