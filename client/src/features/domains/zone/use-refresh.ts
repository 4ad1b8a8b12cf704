import { useEffect } from 'react'
import type { DomainDetails } from '#shared/features/domains/schema.ts'
import { trpc, utils } from '#client/lib/trpc.ts'
import type { Outputs } from '#client/lib/trpc.ts'
import { refreshDomains } from '../use-domain-rows.ts'

/** What is older is read again when somebody opens the page. */
const oldMs = 5 * 60_000

/** When the oldest part of a domain was read; null where one never was. */
export function readAtOf({ listedAt, recordsReadAt, settingsReadAt }: DomainDetails): string | null {
  if (recordsReadAt === null || settingsReadAt === null) return null
  return [listedAt, recordsReadAt, settingsReadAt].toSorted()[0] ?? listedAt
}

export type RefreshProblem = Outputs['zoneSettings']['refresh']['problems'][number]

export interface Refresh {
  run: () => void
  running: boolean
  /** Parts that could not be read the last time. */
  problems: readonly RefreshProblem[]
  /** Why nothing could be read the last time. */
  error: unknown
}

/** Domains that this visit has asked for by itself: once each, whatever comes of it. */
const asked = new Set<string>()

/** Reads a domain from the provider: when asked, and once by itself where the mirror is old. */
export function useRefresh(id: string, zone: DomainDetails | undefined): Refresh {
  const { mutate, isPending, data, error } = trpc.zoneSettings.refresh.useMutation({
    mutationKey: ['zone-refresh', id],
    meta: { failure: false },
    onSettled: () =>
      Promise.all([refreshDomains(), utils.records.invalidate(), utils.zoneSettings.invalidate(), utils.history.invalidate()]),
  })
  const readAt = zone === undefined ? undefined : readAtOf(zone)
  const old = zone !== undefined && !zone.gone && (readAt == null || Date.now() - new Date(readAt).getTime() > oldMs)
  useEffect(() => {
    if (!old || asked.has(id)) return
    asked.add(id)
    mutate({ id })
  }, [old, id, mutate])
  return { run: () => mutate({ id }), running: isPending, problems: data?.problems ?? [], error }
}
