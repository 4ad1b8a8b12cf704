import { sql } from 'drizzle-orm'
import type { AnyColumn } from 'drizzle-orm'
import { disappearances } from '#server/db/schema/index.ts'
import type { Disappearance } from '#shared/features/sync/disappearances/schema.ts'

/** As PostgreSQL writes timestamps in JSON. */
type WrittenDisappearance = Omit<Disappearance, 'foundAt' | 'confirmedAt' | 'keptAt'> & {
  readonly foundAt: string
  readonly confirmedAt: string | null
  readonly keptAt: string | null
}

/** The held domains of an account or registrar, within a select of it; null if there are none. */
export const shownDisappearance = (of: 'accountId' | 'registrarId', id: AnyColumn) => sql<WrittenDisappearance | null>`(
  select json_build_object('foundAt', found_at, 'missing', cardinality(keys), 'known', known, 'sampled', sampled, 'stillThere', still_there,
    'confirmations', confirmations, 'confirmedAt', confirmed_at, 'keptAt', kept_at, 'keptBy', kept_by) from ${disappearances} where ${disappearances[of]} = ${id})`

const iso = (at: string | null) => (at === null ? null : new Date(at).toISOString())

export const toDisappearance = (shown: WrittenDisappearance | null): Disappearance | null =>
  shown === null
    ? null
    : {
        ...shown,
        foundAt: new Date(shown.foundAt).toISOString(),
        confirmedAt: iso(shown.confirmedAt),
        keptAt: iso(shown.keptAt),
      }
