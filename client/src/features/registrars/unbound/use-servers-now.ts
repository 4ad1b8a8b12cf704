import { useCallback, useState } from 'react'
import type { RegistrarNameView, ServersNow } from '#shared/features/registrars/schema.ts'
import { trpc } from '#client/lib/trpc.ts'

/** As many as are asked of at a time. */
const pageLength = 25
const alone = { context: { alone: true } }

/** What DNS says of a name: on its way, not to be had, or told. */
export type Served =
  | { state: 'asking' }
  | { state: 'failed'; retry: () => void }
  | { state: 'told'; nameServers: ServersNow['nameServers']; retry: () => void }
const asking: Served = { state: 'asking' }

/** Asks the world's DNS about the names in sight. */
export function useServersNow(rows: readonly RegistrarNameView[]): {
  servedOf: (row: RegistrarNameView) => Served
  onRange: (from: number, to: number) => void
} {
  const [[first, last], setPages] = useState<readonly [number, number]>([0, 0])
  const pages = Array.from({ length: last - first + 1 }, (_, index) =>
    rows.slice((first + index) * pageLength, (first + index + 1) * pageLength).map(({ id }) => id),
  )
  const answers = trpc.useQueries((t) =>
    pages.map((ids) => t.registrars.serversNow({ ids }, { enabled: ids.length > 0, retry: false, trpc: alone })),
  )
  const served = new Map(
    answers.flatMap((answer, index) => {
      const retry = (): void => void answer.refetch()
      const told = new Map(answer.data?.results.map(({ id, nameServers }) => [id, nameServers]))
      return (pages[index] ?? []).map((id): [string, Served] => {
        if (answer.isFetching) return [id, asking]
        if (answer.data === undefined) return [id, answer.isError ? { state: 'failed', retry } : asking]
        return [id, { state: 'told', nameServers: told.get(id) ?? null, retry }]
      })
    }),
  )
  return {
    servedOf: ({ id }) => served.get(id) ?? asking,
    onRange: useCallback((from, to) => {
      const [start, end] = [Math.floor(from / pageLength), Math.floor(to / pageLength)]
      setPages((before) => (before[0] === start && before[1] === end ? before : [start, end]))
    }, []),
  }
}
