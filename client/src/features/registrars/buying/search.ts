const steps = ['names', 'offers', 'order'] as const
export type Step = (typeof steps)[number]
export const rowFilters = ['all', 'available', 'premium', 'taken', 'unknown'] as const
export type RowFilter = (typeof rowFilters)[number]

/** The URL parameters of the page. */
interface BuyingSearch {
  /** Defaults to the first step. */
  step?: Exclude<Step, 'names'>
  show?: Exclude<RowFilter, 'all'>
}

/** Accepts any input; unknown values are dropped. */
export function parseBuyingSearch(raw: unknown): BuyingSearch {
  const given: { step?: unknown; show?: unknown } = typeof raw === 'object' && raw !== null ? raw : {}
  const step = steps.find((each) => each === given.step)
  const show = rowFilters.find((each) => each === given.show)
  return { ...(step !== undefined && step !== 'names' && { step }), ...(show !== undefined && show !== 'all' && { show }) }
}
