import { createContext, useContext, useEffect } from 'react'
import { allows } from '#shared/features/sharing/rules.ts'
import type { DomainDetails } from '#shared/features/domains/schema.ts'
import { codeWords, messageOf, providerWords } from '#client/lib/errors.ts'
import { trpc, type Outputs } from '#client/lib/trpc.ts'
import { renewZone } from './queries.ts'

/** Older data is refreshed when the page is opened. */
const oldMs = 5 * 60_000

/** When the oldest part of a domain was read, except its certificates, which are read only when opened; null if any was never read. */
export function readAtOf({ listedAt, recordsReadAt, settingsReadAt }: DomainDetails): string | null {
  if (recordsReadAt === null || settingsReadAt === null) return null
  return [listedAt, recordsReadAt, settingsReadAt].toSorted()[0] ?? listedAt
}

function isOld(zone: DomainDetails): boolean {
  const readAt = readAtOf(zone)
  return readAt === null || zone.certificates === null || Date.now() - new Date(readAt).getTime() > oldMs
}

export type RefreshProblem = Outputs['zoneSettings']['refresh']['problems'][number]

export interface Refresh {
  run: () => void
  running: boolean
  /** Parts that failed in the last refresh while others succeeded. */
  problems: readonly RefreshProblem[]
  /** Why the whole last refresh failed. */
  failure: readonly string[] | null
}

/** A failure common to all parts that were tried is reported once. */
function failureOfAll({ read, problems }: Pick<Outputs['zoneSettings']['refresh'], 'read' | 'problems'>): readonly string[] | null {
  const [first, ...others] = problems
  if (first === undefined || read.length > 0 || others.some(({ code }) => code !== first.code)) return null
  return [codeWords(first.code), ...(first.message === null ? [] : [first.message])]
}

const wordsOf = (error: unknown): readonly string[] => [messageOf(error), providerWords(error)].filter((words) => words !== undefined)

/** When this visit last refreshed a domain automatically, successfully or not. */
const askedAtMs = new Map<string, number>()

/** Refreshes a domain from the provider: on request, and once automatically if the mirror is old. */
export function useRefresh(id: string, zone: DomainDetails | undefined): Refresh {
  const { mutate, isPending, data, error } = trpc.zoneSettings.refresh.useMutation({
    meta: { failure: false },
    onSettled: (answer) => renewZone(answer?.zone),
  })
  // A viewer sees what others have read.
  const old = zone !== undefined && !zone.gone && allows(zone.shared, 'operate') && isOld(zone)
  useEffect(() => {
    if (!old || Date.now() - (askedAtMs.get(id) ?? 0) < oldMs) return
    askedAtMs.set(id, Date.now())
    mutate({ id })
  }, [old, id, mutate])
  const { read, problems } = data ?? { read: [], problems: [] }
  const failure = isPending ? null : error === null ? failureOfAll({ read, problems }) : wordsOf(error)
  return {
    run: () => {
      if (!isPending) mutate({ id })
    },
    running: isPending,
    problems: failure === null ? problems : [],
    failure,
  }
}

const Context = createContext<Refresh>({ run: () => undefined, running: false, problems: [], failure: null })
/** The frame starts the refresh, and the pages inside it show its result. */
export const ZoneRefresh = Context.Provider
export const useZoneRefresh = (): Refresh => useContext(Context)
