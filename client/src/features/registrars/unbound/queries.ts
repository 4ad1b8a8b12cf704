import { useCallback, useMemo, useState } from 'react'
import type { RegistrarNameView, ServersNow } from '#shared/features/registrars/schema.ts'
import { api, trpc } from '#client/lib/trpc.ts'

const pageLength = 200
/** The limit of one operation. */
export const maxPerCall = 10_000

interface NamePages {
  rows: readonly RegistrarNameView[]
  total: number | undefined
  query: ReturnType<typeof trpc.registrars.names.useInfiniteQuery>
  /** For a virtual list: loads the next page near its end. */
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

/** Names without a zone in the panel, loaded on scrolling. */
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

/** All matches, up to the limit of one operation. */
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
  } while (cursor !== null && all.length < maxPerCall)
  return all.slice(0, maxPerCall)
}

/** The batch size of DNS look-ups. */
const namesPerCall = 25
const unbatched = { context: { unbatched: true } }

/** The DNS state of a name: loading, unavailable, or known. */
export type Served =
  | { state: 'asking' }
  | { state: 'failed'; retry: () => void }
  | { state: 'answered'; nameServers: ServersNow['nameServers']; retry: () => void }
const asking: Served = { state: 'asking' }

/** Looks up the visible names in public DNS. */
export function useServersNow(rows: readonly RegistrarNameView[]): {
  servedOf: (row: RegistrarNameView) => Served
  onRange: (from: number, to: number) => void
} {
  const [[first, last], setPages] = useState<readonly [number, number]>([0, 0])
  const pages = Array.from({ length: last - first + 1 }, (_, index) =>
    rows.slice((first + index) * namesPerCall, (first + index + 1) * namesPerCall).map(({ id }) => id),
  )
  const answers = trpc.useQueries((t) =>
    pages.map((ids) => t.registrars.serversNow({ ids }, { enabled: ids.length > 0, retry: false, trpc: unbatched })),
  )
  const served = new Map(
    answers.flatMap((answer, index) => {
      const retry = (): void => void answer.refetch()
      const byId = new Map(answer.data?.results.map(({ id, nameServers }) => [id, nameServers]))
      return (pages[index] ?? []).map((id): [string, Served] => {
        if (answer.isFetching) return [id, asking]
        if (answer.data === undefined) return [id, answer.isError ? { state: 'failed', retry } : asking]
        return [id, { state: 'answered', nameServers: byId.get(id) ?? null, retry }]
      })
    }),
  )
  return {
    servedOf: ({ id }) => served.get(id) ?? asking,
    onRange: useCallback((from, to) => {
      const [start, end] = [Math.floor(from / namesPerCall), Math.floor(to / namesPerCall)]
      setPages((before) => (before[0] === start && before[1] === end ? before : [start, end]))
    }, []),
  }
}
