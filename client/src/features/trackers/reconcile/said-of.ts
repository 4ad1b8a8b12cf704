import type { TrackerDomainView } from '#shared/features/trackers/schema.ts'

type Said = Pick<TrackerDomainView, 'problem' | 'solution' | 'sslProblem'>

/** What a tracker says of a domain, in its own words: what is wrong, then what to do; nothing where it finds nothing wrong. */
export const saidOf = (domain: Said | null): readonly string[] =>
  domain === null ? [] : [domain.problem, domain.sslProblem, domain.solution].flatMap((part) => part || [])
