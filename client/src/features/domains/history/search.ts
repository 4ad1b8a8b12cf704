import type { Entry } from './queries.ts'

export const subjects = ['record', 'setting', 'zone'] as const satisfies readonly Entry['subject'][]
export const sources = ['panel', 'revert', 'outside', 'operation'] as const satisfies readonly Entry['source'][]

/** What the history keeps in its address. */
export interface HistorySearch {
  subject?: Entry['subject']
  source?: Entry['source']
}

/** Reads anything at all; what is not understood is left out. */
export function parseHistorySearch(raw: Record<string, unknown>): HistorySearch {
  const subject = subjects.find((each) => each === raw['subject'])
  const source = sources.find((each) => each === raw['source'])
  return { ...(subject && { subject }), ...(source && { source }) }
}
