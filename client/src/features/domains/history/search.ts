import { compact, searchParams } from '#client/lib/search-params.ts'
import type { Entry } from './queries.ts'

export const subjects = ['record', 'setting', 'rule', 'ip_rule', 'zone'] as const satisfies readonly Entry['subject'][]
export const sources = ['panel', 'revert', 'outside', 'operation'] as const satisfies readonly Entry['source'][]

/** The URL parameters of the history. */
export interface HistorySearch {
  subject?: Entry['subject']
  source?: Entry['source']
}

export function parseHistorySearch(raw: unknown): HistorySearch {
  const { oneOf } = searchParams(raw)
  return compact<HistorySearch>({ subject: oneOf('subject', subjects), source: oneOf('source', sources) })
}
