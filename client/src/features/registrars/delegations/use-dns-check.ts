import { useRef, useState } from 'react'
import type { NameServerTruth } from '#shared/features/domains/settings/schema.ts'
import { toast } from '#client/lib/toast.ts'
import { api } from '#client/lib/trpc.ts'

const batchSize = 50

export interface DnsCheck {
  /** The DNS results by domain while this page is open. */
  truths: ReadonlyMap<string, NameServerTruth>
  running: { done: number; total: number } | null
  start: (ids: readonly string[]) => Promise<void>
  stop: () => void
}

/** Checks public DNS for many domains in batches. */
export function useDnsCheck(failure: string): DnsCheck {
  const [truths, setTruths] = useState<ReadonlyMap<string, NameServerTruth>>(new Map())
  const [running, setRunning] = useState<DnsCheck['running']>(null)
  const abort = useRef<AbortController | null>(null)
  return {
    truths,
    running,
    stop: () => abort.current?.abort(),
    start: async (ids) => {
      abort.current?.abort()
      const mine = new AbortController()
      abort.current = mine
      try {
        for (let done = 0; done < ids.length && !mine.signal.aborted; done += batchSize) {
          setRunning({ done, total: ids.length })
          const { results } = await api.zoneSettings.checkNameServers.mutate(
            { ids: ids.slice(done, done + batchSize) },
            { signal: mine.signal, context: { unbatched: true } },
          )
          setTruths((before) => new Map([...before, ...results.map(({ id, nameServers }) => [id, nameServers] as const)]))
        }
      } catch (error) {
        if (!mine.signal.aborted) toast.failure(error, failure)
      } finally {
        if (abort.current === mine) setRunning(null)
      }
    },
  }
}
