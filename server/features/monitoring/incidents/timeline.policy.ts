/** An incident of another domain of the outage. */
interface Other {
  readonly openedAt: string | null
  readonly closedAt: string | null
}

const minuteMs = 60_000
/** Tried one after another until there are few enough entries. */
const spans = [minuteMs, 10 * minuteMs, 60 * minuteMs, 24 * 60 * minuteMs]
const mostEntries = 30

/** One entry for events that are close to each other, at the time of the first one. */
function entriesOf(kind: 'joined' | 'recovered', times: readonly number[]) {
  const within = (spanMs: number) => [...Map.groupBy(times, (at) => Math.floor(at / spanMs)).values()]
  const fewest = spans.map(within).find((some) => some.length <= mostEntries) ?? []
  return fewest.map((some) => ({ at: new Date(Math.min(...some)).toISOString(), kind, domains: some.length }))
}

/** When other domains of an outage failed and recovered. */
export function entriesOfOthers(others: readonly Other[]) {
  const timesOf = (field: keyof Other) => others.flatMap(({ [field]: at }) => (at === null ? [] : [Date.parse(at)]))
  return [...entriesOf('joined', timesOf('openedAt')), ...entriesOf('recovered', timesOf('closedAt'))]
}
