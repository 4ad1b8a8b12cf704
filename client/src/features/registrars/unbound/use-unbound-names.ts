import { useMemo } from 'react'
import type { RegistrarNameView } from '#shared/features/registrars/schema.ts'
import { api, trpc } from '#client/lib/trpc.ts'

const pageLength = 200
/** As many as one operation takes. */
export const mostAtOnce = 10_000

interface NamePages {
  rows: readonly RegistrarNameView[]
  total: number | undefined
  query: ReturnType<typeof trpc.registrars.names.useInfiniteQuery>
  /** Of a virtual list: reads on when its end comes near. */
  onRangeVisible: (from: number, to: number) => void
}

export interface UnboundFilter {
  readonly search: string
  readonly registrarId: string | undefined
}
const inputOf = ({ search, registrarId }: UnboundFilter) => ({
  which: 'unbound' as const,
  ...(search === '' ? {} : { search }),
  ...(registrarId === undefined ? {} : { registrarId }),
})

/** Names that are in no zone of the panel, as far as they were scrolled to. */
export function useUnboundNames(filter: UnboundFilter): NamePages {
  const query = trpc.registrars.names.useInfiniteQuery(
    { ...inputOf(filter), limit: pageLength },
    { getNextPageParam: (page) => page.nextCursor ?? undefined },
  )
  const rows = useMemo(() => query.data?.pages.flatMap(({ names }) => names) ?? [], [query.data])
  return {
    rows,
    total: query.data?.pages[0]?.total,
    query,
    onRangeVisible: (_from, to) => {
      if (to >= rows.length && query.hasNextPage && !query.isFetchingNextPage) void query.fetchNextPage()
    },
  }
}

/** All that match, as many as one operation takes. */
export async function readUnbound(filter: UnboundFilter): Promise<RegistrarNameView[]> {
  const all: RegistrarNameView[] = []
  let cursor: string | null = null
  do {
    const page: Awaited<ReturnType<typeof api.registrars.names.query>> = await api.registrars.names.query({
      ...inputOf(filter),
      limit: 1_000,
      ...(cursor === null ? {} : { cursor }),
    })
    all.push(...page.names)
    cursor = page.nextCursor
  } while (cursor !== null && all.length < mostAtOnce)
  return all.slice(0, mostAtOnce)
}
