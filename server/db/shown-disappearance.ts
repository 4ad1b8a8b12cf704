import { sql } from 'drizzle-orm'
import type { AnyColumn } from 'drizzle-orm'
import { disappearances } from '#server/db/schema/index.ts'
import type { Disappearance } from '#shared/features/sync/disappearances/schema.ts'

/** As PostgreSQL writes timestamps in JSON. */
type Written = Omit<Disappearance, 'foundAt' | 'keptAt'> & { readonly foundAt: string; readonly keptAt: string | null }

/** The held domains of an account or registrar, within a select of it; null if there are none. */
export const shownDisappearance = (of: 'accountId' | 'registrarId', id: AnyColumn) => sql<Written | null>`(
  select json_build_object('foundAt', found_at, 'missing', cardinality(keys), 'known', known, 'sampled', sampled, 'stillThere', still_there,
    'keptAt', kept_at, 'keptBy', kept_by) from ${disappearances} where ${disappearances[of]} = ${id})`

export const toDisappearance = (written: Written | null): Disappearance | null =>
  written === null
    ? null
    : {
        ...written,
        foundAt: new Date(written.foundAt).toISOString(),
        keptAt: written.keptAt === null ? null : new Date(written.keptAt).toISOString(),
      }
