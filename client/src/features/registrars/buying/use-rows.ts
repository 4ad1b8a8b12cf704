import { useMemo } from 'react'
import { check } from './check-store.ts'
import { draft } from './draft.ts'
import { rowOf, sumsOf, takenOf, type OfferRow, type Sum, type Taken } from './offers.ts'

export interface Rows {
  readonly rows: readonly OfferRow[]
  readonly taken: readonly Taken[]
  readonly sums: readonly Sum[]
}

const none: Rows = { rows: [], taken: [], sums: [] }

/** The results so far, the included names and their totals. */
export function useRows(): Rows {
  const asked = check.use()
  const { choices, years } = draft.use()
  const rows = useMemo(
    () =>
      asked === null
        ? none.rows
        : asked.names.map((each) =>
            rowOf(
              each,
              asked.registrarIds,
              (id, name) => asked.byRegistrar.get(id)?.offers.get(name),
              (id) => asked.byRegistrar.get(id)?.state === 'running',
              years,
            ),
          ),
    [asked, years],
  )
  return useMemo(() => {
    const taken = takenOf(rows, choices)
    return { rows, taken, sums: sumsOf(taken) }
  }, [rows, choices])
}
