import type { Step } from './queries.ts'

/** What taking back does: a record that was added is deleted, one that was deleted is added, everything else changes. */
export function stepWord({ state, now, wanted }: Pick<Step, 'state' | 'now' | 'wanted'>, subject: string) {
  if (state !== 'will_change' || subject !== 'record') return state
  return now === null ? 'will_add' : wanted === null ? 'will_delete' : state
}
