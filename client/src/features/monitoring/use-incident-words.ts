import { type ReactNode, useCallback } from 'react'
import type { Incident } from '#shared/features/monitoring/reports.ts'
import { useCauseTitle } from './use-cause-title.ts'
import { useReasonWords } from './use-reason-words.ts'

/** The problem of one domain or account, in one line. */
export function useIncidentWords(): (incident: Pick<Incident, 'reasons' | 'cause'>) => string {
  const words = useReasonWords()
  const title = useCauseTitle()
  return useCallback(
    ({ reasons: [first], cause }) => {
      if (first === undefined) return title(cause)
      const { what, detail } = words(first)
      return detail === null ? what : `${what}: ${detail}`
    },
    [words, title],
  )
}

interface Words {
  one: ReturnType<typeof useIncidentWords>
  cause: ReturnType<typeof useCauseTitle>
}
/** The texts for features that load them when they are needed. */
export const WithIncidentWords = ({ children }: { children: (words: Words) => ReactNode }) =>
  children({ one: useIncidentWords(), cause: useCauseTitle() })
