const steps = ['names', 'offers', 'order'] as const
export type Step = (typeof steps)[number]
export const rowFilters = ['all', 'available', 'premium', 'taken', 'unknown'] as const
export type RowFilter = (typeof rowFilters)[number]

/** What the page keeps in its address. */
interface BuyingSearch {
  /** Absent: the first. */
  step?: Exclude<Step, 'names'>
  show?: Exclude<RowFilter, 'all'>
}

/** Reads anything at all; what is not understood is left out. */
export function parseBuyingSearch(raw: unknown): BuyingSearch {
  const given: { step?: unknown; show?: unknown } = typeof raw === 'object' && raw !== null ? raw : {}
  const step = steps.find((each) => each === given.step)
  const show = rowFilters.find((each) => each === given.show)
  return { ...(step !== undefined && step !== 'names' && { step }), ...(show !== undefined && show !== 'all' && { show }) }
}
